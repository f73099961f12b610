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

TEST(Versions, WordsOfNewLinesTellWhetherGroupsMayMatter) {
  auto may = [](std::string New, std::vector<std::string> Options = {}) {
    return mayAddGroupUse({"k.cl", "int l = get_local_id(0);\n\nint i;\n", {}},
                          {"k.cl", New, std::move(Options)});
  };
  EXPECT_FALSE(may("int i;\nint l = get_local_id(0);\n"));
  EXPECT_FALSE(may("int l = get_local_id(0);\np[get_global_id(0)] = 1;\n"));
  // The same line once more counts, too.
  EXPECT_TRUE(may("int l = get_local_id(0);\nint l = get_local_id(0);\n"));
  EXPECT_TRUE(may("p[0] = get_group_id(0);"));
  EXPECT_TRUE(may("barrier(1);"));
  EXPECT_TRUE(may("#include \"ids.h\"\n"));
  EXPECT_TRUE(may("#define ID(what) get_##what##_id(0)\n"));
  EXPECT_TRUE(may("int i;\n", {"-D", "ID=get_local_id"}));
}

TEST(Versions, WordsOfNewLinesTellWhetherTheWholeLaunchMayMatter) {
  auto may = [](std::string New) {
    return mayAskForWhole({"k.cl", "int n = get_global_size(0);\nint i;\n", {}},
                          {"k.cl", New, {}});
  };
  EXPECT_FALSE(may("int i;\nint n = get_global_size(0);\n"));
  EXPECT_FALSE(may("int l = get_local_id(0), g = get_global_id(0);\n"));
  EXPECT_TRUE(may("int m = get_global_size(1);\n"));
  EXPECT_TRUE(may("int o = get_global_offset(0);\n"));
  EXPECT_TRUE(may("int g = get_group_id(0);\n"));
  EXPECT_TRUE(may("#include \"ids.h\"\n"));
}

TEST(Versions, WordsOfOtherLinesTellWhetherIdsMayBeCut) {
  auto may = [](std::string Old, std::string New) {
    return mayCutTo16Bits({"k.cl", Old, {}}, {"k.cl", New, {}});
  };
  EXPECT_FALSE(may("short s;\nint i = get_global_id(0);\n",
                   "short s;\nint j = get_global_id(0);\n"));
  EXPECT_TRUE(may("int i = get_global_id(0);\n", "ushort i;\n"));
  EXPECT_TRUE(may("ushort i;\n", "int i = get_global_id(0);\n"));
  EXPECT_TRUE(may("a[i * n]", "a[mul24(i, n)]"));
  EXPECT_TRUE(may("a[i]", "a[i & 65535]"));
  EXPECT_TRUE(may("a[i]", "a[i & 0xffff]"));
  EXPECT_TRUE(may("a[i]", "a[i << 16 >> 16]"));
  EXPECT_TRUE(may("a[i]", "#include \"ids.h\"\n"));
}

TEST(Versions, OptionsThatOnlySayHowCodeIsMadeChangeNoText) {
  auto may = [](std::vector<std::string> Options) {
    return mayAddGroupUse({"k.cl", "", {}}, {"k.cl", "", Options}) ||
           mayAskForWhole({"k.cl", "", {}}, {"k.cl", "", Options}) ||
           mayCutTo16Bits({"k.cl", "", {}}, {"k.cl", "", Options});
  };
  EXPECT_FALSE(may({"-cl-nv-maxrregcount=64", "-cl-mad-enable"}));
  EXPECT_TRUE(may({"-cl-fast-relaxed-math"})) << "it defines a macro";
  EXPECT_TRUE(may({"-DN=get_local_id"}));
}

/// The texts of the readings of \p Before and \p After.
static std::vector<std::pair<std::string, std::string>>
readings(const char *Before, const char *After) {
  std::vector<std::pair<std::string, std::string>> Out;
  for (const Reading &R : readingsOf({"k.cl", Before, {}}, {"k.cl", After, {}}))
    Out.push_back({R.Before.Text, R.After.Text});
  return Out;
}

TEST(Versions, AreReadByEachSortOfCompilersThatReadsADifference) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(readings("a;\n", "b;\n"), (Pairs{{"a;\n", "b;\n"}}));
  // The edit is in a shelter.
  EXPECT_EQ(readings("a;\n", "#ifdef M // clrewrite\nb;\n#endif\na;\n"),
            (Pairs{{"a;\n", "#if 1 // clrewrite\nb;\n#endif\na;\n"}}));
  // Another one is not.
  EXPECT_EQ(readings("a;\n", "#ifdef M // clrewrite\nb;\n#endif\nc;\n"),
            (Pairs{{"a;\n", "#if 1 // clrewrite\nb;\n#endif\nc;\n"},
                   {"a;\n", "#if 0 // clrewrite\nb;\n#endif\nc;\n"}}));
  // A line has gone into one.
  EXPECT_EQ(readings("a;\n", "#ifdef M // clrewrite\na;\n#endif\n").size(), 2u);
  EXPECT_EQ(readings("#ifdef M\na;\n#endif\n", "#ifdef M\nb;\n#endif\n").size(),
            1u);
  // Others read the line as it was, which needs no run.
  EXPECT_EQ(readings("a;\n", "#ifdef M // clrewrite\nb;\n#else\na;\n#endif\n"),
            (Pairs{{"a;\n", "#if 1 // clrewrite\nb;\n#else\na;\n#endif\n"}}));
  // Each sort has its own, and a shelter may be there before.
  const char *Both =
      "#ifdef M // clrewrite\nb;\n#elif defined(N) // clrewrite\n"
      "c;\n#else\na;\n#endif\n";
  EXPECT_EQ(readings("a;\n", Both).size(), 2u);
  EXPECT_EQ(readings(Both, "a;\n").size(), 2u);
  EXPECT_EQ(readings("d;\n", Both).size(), 3u);
  EXPECT_EQ(readings(Both, Both).size(), 1u);
  EXPECT_EQ(readingsOf({"k.cl", "a;\n", {}}, {"k.cl", Both, {}})[1].label(),
            "read with, for N, the lines that #ifdef keeps for some GPUs: ");
}
