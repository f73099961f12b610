// Where kernels stand in C++.
#include "frontend/HostKernels.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::frontend;

static std::string others(const std::string &Text) {
  std::string Out;
  for (const KernelPlace &P : hostKernelsIn(Text).Others)
    Out += std::to_string(P.Offset) +
           (P.Where == KernelPlace::Literals ? "L"
            : P.Where == KernelPlace::Code   ? "C"
                                             : "M") +
           std::to_string(P.Pieces) + P.Name + " ";
  return Out;
}

TEST(HostKernels, TellsLiteralsMacrosAndCodeApart) {
  EXPECT_EQ(others("x = \"kernel void f() {}\";"), "4L1 ");
  EXPECT_EQ(others("x = \"// f\\n\" \"__kernel\\n\" \"void f() {}\";"),
            "13L3 ");
  EXPECT_EQ(others("x = S(a, (__kernel void f() {} kernel void g() {}));"),
            "4M0S ");
  EXPECT_EQ(others("__kernel void f() {} __kernel void g() {}"),
            "0C0__kernel ");
  EXPECT_EQ(others("__kernel __attribute__((a)) void f() {}"), "0C0__kernel ");
}

TEST(HostKernels, ThoseOfMetalDoNotCount) {
  EXPECT_TRUE(holdsKernel("kernel void k(global int *p) {}"));
  EXPECT_FALSE(holdsKernel("#include <metal_stdlib>\n"
                           "kernel void k(device int *p) {}"));
}

TEST(HostKernels, CommentsAndOtherWordsDoNotCount) {
  EXPECT_EQ(others("// \"kernel void f() {}\"\n/* S(kernel void f() {}) */"),
            "");
  EXPECT_EQ(others("int kernel; void kernel_void(); \"the kernel\" \"avoid\";"),
            "");
}

TEST(HostKernels, RawLiteralsSideBySideAreOneText) {
  std::string Text = "a = \"x\\n\" R\"(kernel )\" /**/ R\"y(void f() {})y\";"
                     "b = R\"(none)\";";
  HostKernels Found = hostKernelsIn(Text);
  ASSERT_EQ(Found.Raw.size(), 1u);
  ASSERT_EQ(Found.Raw[0].size(), 3u);
  EXPECT_FALSE(Found.Raw[0][0].isRaw());
  EXPECT_EQ(Found.Raw[0][2].Closing, ")y\"");
  EXPECT_EQ(textOf(Found.Raw[0], Text), "x\nkernel void f() {}");
  EXPECT_TRUE(Found.Others.empty());
  EXPECT_EQ(rawTextsIn(Text).size(), 2u);
}
