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

TEST(Versions, WordsTellWhetherGroupsMayMatter) {
  auto may = [](const char *Text) { return mayUseGroups({"k.cl", Text, {}}); };
  EXPECT_FALSE(
      may("kernel void k(global int *p) { p[get_global_id(0)] = 1; }"));
  EXPECT_TRUE(may("kernel void k(global int *p) { p[0] = get_local_id(0); }"));
  EXPECT_TRUE(may("kernel void k(global int *p) { p[0] = get_group_id(0); }"));
  EXPECT_TRUE(may("kernel void k(global int *p) { barrier(1); }"));
  EXPECT_TRUE(may("#include \"ids.h\"\n"));
  EXPECT_TRUE(may("#define ID(what) get_##what##_id(0)\n"));
  EXPECT_TRUE(mayUseGroups({"k.cl", "", {"-D", "ID=get_local_id"}}));
}
