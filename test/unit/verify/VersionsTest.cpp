// The texts and options of the versions that are compared.
#include "verify/Versions.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

TEST(Versions, TheExactOneHasNoContractionAndKeepsItsLines) {
  Source S;
  S.Text = "\xef\xbb\xbfkernel void k() {}";
  S.Options = {"-D", "N=1", "-cl-mad-enable", "-Wall", "-cl-std=CL1.2"};
  json::Object Exact = deviceProgram(S, Arithmetic::Exact);
  EXPECT_EQ(Exact.getString("source"),
            "#pragma OPENCL FP_CONTRACT OFF\n#line 1\nkernel void k() {}");
  EXPECT_EQ(Exact.getString("options"), "-D N=1 -cl-std=CL1.2");
  json::Object Given = deviceProgram(S, Arithmetic::Given);
  EXPECT_EQ(Given.getString("source"), "kernel void k() {}");
  EXPECT_EQ(Given.getString("options"), "-D N=1 -cl-mad-enable -cl-std=CL1.2");
  S.Text = "// \xff";
  EXPECT_TRUE(deviceProgram(S, Arithmetic::Given).getString("source_base64"));
}
