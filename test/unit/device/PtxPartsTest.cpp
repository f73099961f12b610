// A program's PTX is cut into that of some of its kernels.
#include "PtxParts.h"
#include <gtest/gtest.h>

using namespace clrewrite::device;

namespace {

constexpr const char *Head =
    ".version 8.8\n"
    ".target sm_90, texmode_independent\n"
    ".global .samplerref S = { filter_mode = linear };\n"
    ".func helper()\n{\n\tret;\n}\n";
constexpr const char *A = ".entry a(\n"
                          "\t.param .u64 a_param_0\n"
                          ")\n.reqntid 64, 1, 1\n{\n"
                          "\ttex.2d.v4.f32.s32 {%f1, %f2}, [S, {%r1}];\n"
                          "\t{ // callseq 0\n\tcall helper;\n\t}\n"
                          "\tret;\n}";
constexpr const char *B = "\t.visible .entry b\n(\n)\n{\n\tret;\n}";
constexpr const char *Ab = ".entry ab()\n{ ret; }";

} // namespace

TEST(PtxParts, TheOtherKernelsGo) {
  const std::string All = std::string(Head) + A + "\n\n" + B + "\n" + Ab + "\n";
  EXPECT_EQ(kernelsAlone(All, {"a", "b", "ab"}), All);
  EXPECT_EQ(kernelsAlone(All, {"a"}),
            std::string(Head) + A + "\n\n" + "\n" + "\n");
  EXPECT_EQ(kernelsAlone(All, {"b"}), std::string(Head) + "\n\n" + B + "\n\n");
  EXPECT_EQ(kernelsAlone(All, {"ab"}),
            std::string(Head) + "\n\n\n" + Ab + "\n");
  EXPECT_EQ(kernelsAlone(All, {}), std::string(Head) + "\n\n\n\n");
}

TEST(PtxParts, WhatIsNoPtxStays) {
  for (const char *Text : {"", "\n", "{", "x",
                           "\x7f"
                           "ELF\n.entr a(\n{}"})
    EXPECT_EQ(kernelsAlone(Text, {}), Text);
  // A body that does not end is all that is left.
  EXPECT_EQ(kernelsAlone("x\n.entry a()\n{ {\n}\n", {}), "x\n");
  EXPECT_EQ(kernelsAlone(".entry a", {}), "");
}
