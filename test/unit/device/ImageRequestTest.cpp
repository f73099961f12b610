// Images and samplers of the job `run`: what is read, and what is wrong.
#include "LaunchRequest.h"
#include <gtest/gtest.h>

using namespace clrewrite::device;

static Result<LaunchRequest> parse(const std::string &Args) {
  std::string Text =
      R"({"versions":[{"source":"s","kernel":"k"}],"global":[8],"args":[)" +
      Args + "]}";
  Json Object = Json::parse(Text, nullptr, false);
  EXPECT_FALSE(Object.is_discarded()) << Text;
  std::string Wrong;
  Request Job(Object, "", Wrong);
  return parseLaunch(Job);
}

TEST(ImageRequest, ReadsShapesAndSamplers) {
  auto L = parse(R"({"image":{"width":5,"height":3},"access":"w"},
    {"image":{"type":"2d_array","width":5,"height":3,"layers":2,
     "channel_order":"RG","channel_type":"UNORM_INT16","fill":"ints:0:9"}},
    {"image":{"type":"1d_array","width":5,"layers":7,"channel_order":"R",
     "channel_type":"HALF_FLOAT","fill":"floats:0:1"},"access":"r"},
    {"sampler":{"normalized":true,"address":"repeat","filter":"linear"}},
    {"sampler":{}})");
  ASSERT_TRUE(L) << L.problem().Message;
  auto &A = L->Arguments;
  ASSERT_EQ(A.size(), 5u);
  EXPECT_EQ(A[0].What, Argument::Image);
  EXPECT_EQ(A[0].Bytes, 5u * 3 * 16) << "RGBA FLOAT is the default";
  EXPECT_EQ(A[0].Access, "w");
  EXPECT_EQ(A[0].Shape.describe(), "2d image of RGBA FLOAT");
  EXPECT_EQ(A[1].Bytes, 5u * 3 * 2 * 4);
  EXPECT_EQ(A[1].Shape.region(), (std::array<size_t, 3>{5, 3, 2}));
  EXPECT_EQ(A[1].Contents.Type.Size, 2u);
  EXPECT_EQ(A[2].Shape.region(), (std::array<size_t, 3>{5, 7, 1}));
  EXPECT_EQ(A[2].Shape.pixelBytes(), 2u);
  EXPECT_EQ(A[2].Contents.Type.Class, ScalarType::Float);
  EXPECT_TRUE(A[3].Sampling.Normalised);
  EXPECT_EQ(A[3].Sampling.Address, cl_addressing_mode(CL_ADDRESS_REPEAT));
  EXPECT_EQ(A[3].Sampling.Filter, cl_filter_mode(CL_FILTER_LINEAR));
  EXPECT_EQ(A[4].Sampling.Address, cl_addressing_mode(CL_ADDRESS_NONE));
}

TEST(ImageRequest, NamesWhatIsWrong) {
  for (auto [Text, Message] : std::vector<std::pair<std::string, std::string>>{
           {R"({"image":1})", "args[0].image: expected an object"},
           {R"({"image":{"type":"4d","width":1}})",
            "args[0].image.type: expected one of 1d, 1d_buffer, 1d_array, 2d, "
            "2d_array, 3d"},
           {R"({"image":{"width":1}})", "args[0].image.height: expected a "
                                        "whole number from 0 to 268435456"},
           {R"({"image":{"width":0,"height":1}})",
            "args[0].image.width: must be at least 1"},
           {R"({"image":{"width":1,"height":1,"depth":2}})",
            "args[0].image.depth: an image of this type has none"},
           {R"({"image":{"width":1,"height":1,"channel_order":"XYZ"}})",
            "args[0].image.channel_order: expected one of R, A, RG, RA, RGBA, "
            "BGRA, ARGB, INTENSITY, LUMINANCE"},
           {R"({"image":{"width":1,"height":1,"fill":"ints:0:1"}})",
            "fill 'ints:0:1' is not one for this element type"},
           {R"({"image":{"width":268435456,"height":268435456}})",
            "args[0].image.width: the image has more than 2^40 pixels"},
           {R"({"image":{"width":1,"height":1},"access":"x"})",
            "args[0].access: expected \"rw\", \"r\" or \"w\""},
           {R"({"sampler":true})", "args[0].sampler: expected an object"},
           {R"({"sampler":{"filter":"cubic"}})",
            "args[0].sampler.filter: expected one of nearest, linear"},
           {R"({"sampler":{"address":"mirrored_repeat"}})",
            "args[0].sampler.address: mirrored_repeat needs normalized "
            "coordinates"},
           {R"({"image":{"width":1,"height":1}},{"alias":0})",
            "args[1].alias: expected the index of a buffer"},
       }) {
    auto L = parse(Text);
    ASSERT_FALSE(L) << Text;
    EXPECT_EQ(L.problem().Message, Message);
  }
}
