// Reading captures: what lies in a folder, whole, cut and of another version.
#include "capture/Capture.h"
#include "capture/CaptureReport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::capture;
using namespace llvm;

namespace {

/// A folder that goes with the test.
class Folder {
  SmallString<128> Path;

public:
  Folder() {
    sys::fs::createUniqueDirectory("capture-test", Path);
    sys::fs::create_directory(Path + "/blobs");
  }
  ~Folder() { sys::fs::remove_directories(Path); }
  std::string path() const { return std::string(Path); }
  void put(const Twine &Name, StringRef Text) {
    std::error_code Bad;
    raw_fd_ostream((Path + "/" + Name).str(), Bad) << Text;
    ASSERT_FALSE(Bad);
  }
  std::string putBlob(StringRef Text) {
    std::string Hash = blobHash(Text);
    put("blobs/" + Hash, Text);
    return Hash;
  }
};

/// A counts file with one record a launch.
std::string counts(std::vector<std::array<uint64_t, 8>> Records) {
  std::string Text = "clrewrite counts 1";
  Text.resize(64, '\0');
  for (const auto &R : Records)
    Text.append(reinterpret_cast<const char *>(R.data()), sizeof R);
  return Text;
}

constexpr char Start[] =
    R"({"event":"start","version":1,"pid":7,"command":["p","-x"],"directory":"/d"})"
    "\n";
constexpr char Device[] =
    R"({"event":"device","id":1,"name":"D","images":true})"
    "\n";

TEST(Capture, HashIsXxh3) {
  // As XXH128 prints it.
  EXPECT_EQ(blobHash(""), "99aa06d3014798d86001c324468d497f");
}

TEST(Capture, ReadsAKernelAndItsLaunches) {
  Folder F;
  std::string First = F.putBlob("kernel void f"), Second = F.putBlob("() {}");
  F.put(
      "events-7.jsonl",
      Start + std::string(Device) +
          R"({"event":"program","id":1,"devices":[1],"kind":"source",)"
          R"("sources":[{"blob":")" +
          First + R"(","bytes":13},{"blob":")" + Second +
          R"(","bytes":5}],"hash":"99aa06d3014798d86001c324468d497f","swapped":null})"
          "\n"
          R"({"event":"build","id":1,"step":"build","program":1,)"
          R"("options":"-DX","devices":[1],"result":0,)"
          R"("results":[{"device":1,"status":"success","log":null}]})"
          "\n"
          R"({"event":"kernel","id":1,"program":1,"build":1,"name":"f",)"
          R"("arguments":null,"argument_count":2})"
          "\n"
          R"({"event":"launch","id":1,"kernel":1,"device":1,)"
          R"("global":[64,2],"local":null,"offset":null,"arguments":[)"
          R"({"kind":"buffer","mem":3,"bytes":16,"flags":["read_only"]},)"
          R"({"kind":"bytes","bytes":2,"hex":"0aff"}]})"
          "\n"
          R"({"event":"launch","id":2,"kernel":1,"device":1,"other":true})"
          "\n"
          R"({"event":"data","launch":1,"sample":0,"argument":0,"mem":3,)"
          R"("bytes":16,"before":"aa","after":"bb","unreadable":null})"
          "\n"
          R"({"event":"of a later time"})"
          "\n"
          R"({"event":"end","ns":5000})"
          "\n");
  F.put("counts-7.bin", counts({{4, 0, 2, 100, 40, 60}, {1, 1, 0, 0, 0, 0}}));
  Expected<Capture> C = readCapture(F.path());
  ASSERT_TRUE(bool(C)) << toString(C.takeError());
  EXPECT_EQ(C->Command, (std::vector<std::string>{"p", "-x"}));
  EXPECT_EQ(C->Processes.at(0).Nanoseconds, 5000u);
  EXPECT_EQ(C->Builds.at(0).Options, "-DX");
  EXPECT_EQ(C->Kernels.at(0).Build, 0u);
  EXPECT_EQ(cantFail(C->text(C->Programs.at(0))), "kernel void f() {}");
  const CapturedLaunch &L = C->Launches.at(0);
  EXPECT_EQ(L.Global, (std::vector<uint64_t>{64, 2}));
  EXPECT_TRUE(L.Local.empty());
  EXPECT_EQ(L.Arguments.at(0).Size, 16u);
  EXPECT_TRUE(L.Arguments.at(0).hasFlag("read_only"));
  EXPECT_EQ(L.Arguments.at(1).Value, "\x0a\xff");
  // Two of four were timed.
  EXPECT_EQ(L.totalNs(), 200);
  EXPECT_TRUE(L.hasData());
  EXPECT_EQ(L.Data.at(0).After, "bb");
  EXPECT_TRUE(C->Launches.at(1).Other);
  EXPECT_EQ(C->Launches.at(1).totalNs(), std::nullopt);
  std::vector<CaptureRow> Rows = captureRows(*C);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Count, 5u);
  EXPECT_EQ(Rows[0].Refused, 1u);
  EXPECT_EQ(Rows[0].Share, 1);
}

TEST(Capture, ATimedLaunchStandsForOthers) {
  Folder F;
  F.put(
      "events-7.jsonl",
      Start + std::string(Device) +
          R"({"event":"program","id":1,"devices":[1],"kind":"il",)"
          R"("sources":[],"hash":"99aa06d3014798d86001c324468d497f","swapped":null})"
          "\n"
          R"({"event":"kernel","id":1,"program":1,"build":null,"name":"f",)"
          R"("arguments":null,"argument_count":0})"
          "\n"
          R"({"event":"launch","id":1,"kernel":1,"device":1,)"
          R"("global":[64],"local":null,"offset":null,"arguments":[]})"
          "\n");
  // Two of 50 ns for themselves, then one of 20 ns for itself and 15 others.
  F.put("counts-7.bin", counts({{90, 0, 3, 120, 20, 50, 18, 420}}));
  Expected<Capture> C = readCapture(F.path());
  ASSERT_TRUE(bool(C)) << toString(C.takeError());
  EXPECT_EQ(C->Launches.at(0).totalNs(), 2100);
}

TEST(Capture, ACutLineIsLeftOut) {
  Folder F;
  F.put("events-7.jsonl",
        Start + std::string(Device) + R"({"event":"program","id":1,"dev)");
  F.put("counts-7.bin", counts({}));
  Expected<Capture> C = readCapture(F.path());
  ASSERT_TRUE(bool(C)) << toString(C.takeError());
  EXPECT_EQ(C->Devices.size(), 1u);
  EXPECT_TRUE(C->Programs.empty());
  EXPECT_EQ(C->BadLines, 1u);
  EXPECT_EQ(C->Processes.at(0).Nanoseconds, std::nullopt);
}

TEST(Capture, ALaunchOfNoKernelIsLeftOut) {
  Folder F;
  F.put("events-7.jsonl", Start + std::string(Device) +
                              R"({"event":"launch","id":1,"kernel":9,)"
                              R"("device":1})"
                              "\n");
  Expected<Capture> C = readCapture(F.path());
  ASSERT_TRUE(bool(C)) << toString(C.takeError());
  EXPECT_TRUE(C->Launches.empty());
  EXPECT_EQ(C->BadLines, 1u);
}

TEST(Capture, ProcessesHaveIdsOfTheirOwn) {
  Folder F;
  for (const char *Name : {"events-7.jsonl", "events-8.jsonl"})
    F.put(Name, Start + std::string(Device) +
                    R"({"event":"program","id":1,"devices":[1],)"
                    R"("kind":"il","hash":"99aa06d3014798d86001c324468d497f"})"
                    "\n");
  Expected<Capture> C = readCapture(F.path());
  ASSERT_TRUE(bool(C)) << toString(C.takeError());
  ASSERT_EQ(C->Programs.size(), 2u);
  EXPECT_EQ(C->Programs[1].Process, 1u);
  EXPECT_EQ(C->Programs[1].Devices, std::vector<size_t>{1});
  EXPECT_EQ(C->Programs[1].Kind, CapturedProgram::Il);
}

TEST(Capture, RefusesAnotherVersionAndNoCapture) {
  Folder F;
  EXPECT_NE(toString(readCapture(F.path()).takeError()).find("no capture"),
            std::string::npos);
  F.put("events-7.jsonl", "{\"event\":\"start\",\"version\":2}\n");
  EXPECT_NE(toString(readCapture(F.path()).takeError()).find("version"),
            std::string::npos);
  EXPECT_FALSE(bool(readCapture(F.path() + "/none")));
}

TEST(Capture, LaysHeadersWhereTheirNamesLead) {
  Folder F;
  Capture C;
  C.Folder = F.path();
  C.Programs.resize(1);
  C.Programs[0].Strings = {F.putBlob("int twice(int);\n")};
  CapturedBuild B;
  B.Headers = {{"math/./twice.h", 0}};
  std::string Into = F.path() + "/laid";
  ASSERT_FALSE(bool(C.layHeaders(B, Into)));
  EXPECT_TRUE(sys::fs::exists(Into + "/math/twice.h"));
  // A capture may come from anywhere, so it may not write everywhere.
  for (const char *Name : {"../out.h", "math/../../out.h", "", "."}) {
    B.Headers = {{Name, 0}};
    EXPECT_TRUE(errorToBool(C.layHeaders(B, Into))) << Name;
  }
  B.Headers = {{F.path() + "/absolute.h", 0}};
  EXPECT_TRUE(errorToBool(C.layHeaders(B, Into)));
  EXPECT_FALSE(sys::fs::exists(F.path() + "/out.h"));
  EXPECT_FALSE(sys::fs::exists(F.path() + "/absolute.h"));
}

} // namespace
