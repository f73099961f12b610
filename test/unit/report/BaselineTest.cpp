// Baselines: the file, and what a run is compared with it.
#include "Sample.h"
#include "llvm/Config/llvm-config.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;
using namespace llvm;

namespace {

measure::Usage usage(unsigned Vgprs, unsigned Waves, unsigned Spills = 0,
                     unsigned Scratch = 0) {
  measure::Usage U;
  U.Vgprs = Vgprs;
  U.Occupancy = Waves;
  U.VgprSpills = Spills;
  U.ScratchBytes = Scratch;
  return U;
}

const char *Head = "{\n\"clrewrite-baseline\": 1,\n\"clrewrite\": \"0.1.0\",\n"
                   "\"llvm\": \"22.1.8\",\n\"kernels\": [\n";
const char *LineOfK =
    R"({"file": "k.cl", "kernel": "k", "target": "gpu", "vgprs": 37, )"
    R"("occupancy": 6},)";

std::string file(const std::string &Lines) {
  return Head + Lines + "{}\n]\n}\n";
}

std::string problem(const std::string &Text) {
  Expected<Baseline> B = readBaseline("b.json", Text);
  return B ? "" : toString(B.takeError());
}

Compared against(const Baseline &Old, const Report &R, bool Vanished = false) {
  auto Same = [](StringRef Path) { return Path.str(); };
  return compare(Old, R, Same, Same,
                 [&](const BaselineEntry &) { return Vanished; });
}

/// Of the sample's kernel, and \p More.
Baseline old(measure::Usage Figures, std::vector<BaselineEntry> More = {}) {
  Baseline B = emptyBaseline();
  B.Entries = std::move(More);
  B.Entries.push_back({"k.cl", "k", 1, "gpu", std::move(Figures)});
  return B;
}

std::vector<std::string> rows(const BaselineReport &B) {
  std::vector<std::string> Out;
  for (const BaselineRow &Row : B.Rows)
    Out.push_back((Row.Path + ":" + Twine(Row.Line) + " " + Row.Kernel + " " +
                   Row.Target + " " + name(Row.What) + " " + Row.text())
                      .str());
  return Out;
}

using Strings = std::vector<std::string>;

} // namespace

TEST(Baseline, ALineAKernelAndTargetThatReadsBack) {
  Baseline B{"0.1.0", "22.1.8", {}};
  measure::Usage U = usage(37, 6);
  U.EstCycles = 2446.93;
  U.VgprSpills.reset();
  B.Entries = {{"a \"b\".cl", "k", 1, "gfx906, small", U},
               {"a.cl", "k", 2, "gfx906", usage(1, 10, 2, 3)}};
  std::string Text = toText(B);
  EXPECT_EQ(Text,
            file(R"({"file": "a \"b\".cl", "kernel": "k", "target": )"
                 R"("gfx906, small", "vgprs": 37, "scratch_bytes": 0, )"
                 R"("occupancy": 6, "est_cycles": 2446.9},)"
                 "\n"
                 R"({"file": "a.cl", "kernel": "k", "copy": 2, "target": )"
                 R"("gfx906", "vgprs": 1, "vgpr_spills": 2, )"
                 R"("scratch_bytes": 3, "occupancy": 10},)"
                 "\n"));
  Expected<Baseline> Again = readBaseline("b.json", Text);
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(toText(*Again), Text);
}

TEST(Baseline, LinesInAnyOrderAndLayoutMeanTheSame) {
  std::string Other = LineOfK;
  Other.replace(Other.find("k.cl"), 4, "a.cl");
  Expected<Baseline> A = readBaseline("b.json", file(Other + LineOfK));
  Expected<Baseline> B = readBaseline(
      "b.json", file(std::string(LineOfK) + "\n\n" + Other + "\n"));
  ASSERT_TRUE(A && B);
  EXPECT_EQ(toText(*A), toText(*B));
}

TEST(Baseline, DamagedFilesNameTheLineAndWhatToDo) {
  std::string K = std::string(LineOfK) + "\n";
  const char *Remedy =
      "; take it from git again, or remove it and run with --update-baseline";
  EXPECT_EQ(problem(file("{\"file\": }\n")).find("b.json:6: is no JSON ("), 0u);
  EXPECT_EQ(problem(""),
            "b.json:1: is no JSON (Unexpected EOF)" + std::string(Remedy));
  EXPECT_EQ(problem("{\"schema\": 1}"),
            "b.json:1: is no baseline of clrewrite" + std::string(Remedy));
  EXPECT_EQ(problem("{\"clrewrite-baseline\": 1}"),
            "b.json:1: has no list \"kernels\"" + std::string(Remedy));
  EXPECT_NE(problem(file(K + "{\"file\": \"{[\\\"\", \"kernel\": \"k\"},\n"))
                .find("b.json:7: is wrong: missing value at kernel.target"),
            std::string::npos);
  EXPECT_NE(problem(file(K + "\n{\"file\": \"a\", \"kernel\": \"k\", "
                             "\"target\": \"g\", \"vgprs\": \"many\"},\n"))
                .find("b.json:8: is wrong: expected "),
            std::string::npos);
  EXPECT_EQ(problem(file("{\"file\": \"a\", \"kernel\": \"k\", \"target\": "
                         "\"g\", \"vgpr\": 1},\n")),
            "b.json:6: has an unknown key 'vgpr'" + std::string(Remedy));
  EXPECT_EQ(problem(file("3,\n")).find("b.json:"), 0u);
}

TEST(Baseline, MergesThatNeedAHand) {
  std::string K = std::string(LineOfK) + "\n";
  EXPECT_EQ(problem(file(K + "<<<<<<< HEAD\n" + K)),
            "b.json:7: holds a conflict of a merge; keep either side's lines "
            "and run with --update-baseline");
  EXPECT_EQ(problem(file(K + "\n" + K)),
            "b.json:8: kernel k of k.cl on gpu is there twice, in line 6 too, "
            "as after a merge; remove one of the lines and run with "
            "--update-baseline");
}

TEST(Baseline, AnotherFormatIsNotGuessedAt) {
  std::string Text = file("");
  Text.replace(Text.find(": 1"), 3, ": 2");
  EXPECT_EQ(problem(Text).find("b.json:1: is of another format than 1, which "),
            0u);
}

TEST(Baseline, WhatIsARegression) {
  auto Of = [](measure::Usage A, measure::Usage B) {
    return name(fateOf(A, B)).str();
  };
  EXPECT_EQ(Of(usage(24, 10), usage(24, 10)), "same");
  EXPECT_EQ(Of(usage(24, 10), usage(24, 9)), "regression");
  EXPECT_EQ(Of(usage(24, 9), usage(24, 10)), "better");
  EXPECT_EQ(Of(usage(24, 10), usage(25, 10)), "regression");
  EXPECT_EQ(Of(usage(25, 10), usage(24, 10)), "better");
  EXPECT_EQ(Of(usage(64, 4, 0), usage(64, 4, 1)), "regression");
  EXPECT_EQ(Of(usage(64, 4, 0, 0), usage(64, 4, 0, 8)), "regression");
  // Registers that buy something.
  EXPECT_EQ(Of(usage(60, 4, 9), usage(64, 4, 0)), "better");
  EXPECT_EQ(Of(usage(20, 4), usage(24, 8)), "better");
  // A wave for a spill is for people to decide.
  EXPECT_EQ(Of(usage(64, 4, 9), usage(84, 3, 0)), "regression");
  EXPECT_EQ(Of(usage(84, 3, 0), usage(64, 4, 9)), "regression");
  // Other figures are told.
  measure::Usage More = usage(24, 10);
  More.Instructions = 7;
  measure::Usage Most = More;
  Most.Instructions = 700;
  Most.EstCycles = 1000;
  EXPECT_EQ(Of(More, Most), "changed");
  EXPECT_EQ(changes(More, Most),
            "instructions 7 -> 700, est. cycles ? -> 1000");
  // What a side does not know is no regression.
  EXPECT_EQ(Of(measure::Usage(), usage(255, 1, 9, 9)), "changed");
}

TEST(Baseline, TheGivenFiguresCountAndAfterWritingTheNewOnes) {
  Report R = sample();
  Baseline Old = old(usage(30, 8));
  EXPECT_EQ(rows(against(Old, R).Against),
            Strings{"k.cl:3 k gpu regression VGPRs 30 -> 37, waves 8 -> 6, "
                    "spills 0 -> ?, scratch bytes 0 -> ?"});
  R.Files[0].Written = true;
  Compared C = against(Old, R);
  EXPECT_EQ(C.Against.count(Fate::Better), 1u);
  ASSERT_EQ(C.Now.Entries.size(), 1u);
  EXPECT_EQ(C.Now.Entries[0].Figures.Vgprs, 24u);
}

TEST(Baseline, EstimatesOfTwoLaunchesAreNotCompared) {
  Report R = sample();
  measure::Usage &Now = R.Files[0].Result.Before[0].Kernels[0].Figures;
  Now.EstCycles = 300;
  Now.EstLaunch = {{256, 128, 16}};
  measure::Usage Was = usage(37, 6);
  Was.VgprSpills = Was.ScratchBytes = std::nullopt;
  Was.EstCycles = 100;
  Was.EstLaunch = {{64, 64, 16}};
  EXPECT_EQ(rows(against(old(Was), R).Against), Strings{"k.cl:3 k gpu same "});
  Was.EstLaunch = Now.EstLaunch;
  Compared C = against(old(Was), R);
  EXPECT_EQ(rows(C.Against),
            Strings{"k.cl:3 k gpu changed est. cycles 100 -> 300"});
  EXPECT_NE(toText(C.Now).find("\"est_launch\": [256,128,16]"),
            std::string::npos);
  Expected<Baseline> Again = readBaseline("b.json", toText(C.Now));
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(Again->Entries[0].Figures.EstLaunch, Now.EstLaunch);
}

TEST(Baseline, NewAndGoneAreNoRegressions) {
  Report R = sample();
  BaselineEntry Removed{"k.cl", "was_here", 1, "gpu", usage(1, 1)};
  Baseline Old = emptyBaseline();
  Old.Entries = {Removed};
  Compared C = against(Old, R);
  EXPECT_EQ(rows(C.Against),
            (Strings{"k.cl:0 was_here gpu gone ", "k.cl:3 k gpu new "}));
  EXPECT_FALSE(C.Against.regressed());
  ASSERT_EQ(C.Now.Entries.size(), 1u);
  EXPECT_EQ(C.Now.Entries[0].Kernel, "k");
}

TEST(Baseline, OtherFilesTargetsAndBuilds) {
  Report R = sample();
  R.Files[0].Targets = {"gpu, small"};
  Baseline Old = emptyBaseline();
  Old.Entries = {{"k.cl", "k", 1, "gpu, large", usage(37, 6)},
                 {"k.cl", "k", 1, "gpu, small", usage(37, 6)},
                 {"k.cl", "k", 1, "other", usage(37, 6)},
                 {"l.cl", "k", 1, "gpu, small", usage(37, 6)}};
  Compared C = against(Old, R);
  // The build that is no more goes; targets and files stay that this run does
  // not have.
  EXPECT_EQ(C.Against.count(Fate::Gone), 1u);
  EXPECT_EQ(C.Against.NotCompared, 2u);
  EXPECT_EQ(C.Now.Entries.size(), 3u);
  C = against(Old, R, /*Vanished=*/true);
  EXPECT_EQ(C.Against.count(Fate::Gone), 2u);
  EXPECT_EQ(C.Now.Entries.size(), 2u);
}

TEST(Baseline, WhatCannotBeMeasuredAnyMoreIsARegressionAndStays) {
  Report R = sample();
  R.Files[0].Result.Before[0].Kernels[0].Problem = "uses too much LDS";
  BaselineEntry OfFailed{"bad.cl", "b", 1, "gpu", usage(1, 1)};
  R.Files[1].Targets = {"gpu"};
  Baseline Old = old(usage(37, 6), {OfFailed});
  Compared C = against(Old, R);
  EXPECT_EQ(rows(C.Against),
            (Strings{"bad.cl:0 b gpu regression could be measured, and now "
                     "not: does not parse",
                     "k.cl:3 k gpu regression could be measured, and now not: "
                     "uses too much LDS"}));
  EXPECT_EQ(C.Now.Entries.size(), 2u);
  // What never could be is not told again and again.
  Baseline None = emptyBaseline();
  EXPECT_EQ(against(None, R).Against.Rows.size(), 0u);
}

TEST(Baseline, WhatAnInterruptedRunDidNotLookAtStays) {
  Report R = sample();
  BaselineEntry Left{"bad.cl", "b", 1, "gpu", usage(1, 1)};
  R.Files[1].Targets = {"gpu"}; // of another text of the file
  R.Files[1].NotBegun = true;
  Baseline Old = old(usage(37, 6), {Left});
  Compared C = against(Old, R);
  EXPECT_EQ(C.Against.count(Fate::Worse), 0u);
  EXPECT_EQ(C.Against.count(Fate::Gone), 0u);
  EXPECT_EQ(C.Now.Entries.size(), 2u);
}

TEST(Baseline, KernelsOfOneNameInOneFileAreCounted) {
  Report R = sample();
  R.Files[1] = R.Files[0];
  R.Files[1].Kernels[0].Line = 40;
  R.Files.push_back(R.Files[0]); // named twice
  Baseline None = emptyBaseline();
  Compared C = against(None, R);
  ASSERT_EQ(C.Now.Entries.size(), 2u);
  EXPECT_EQ(C.Now.Entries[0].Copy, 1u);
  EXPECT_EQ(C.Now.Entries[1].Copy, 2u);
}

TEST(Baseline, KernelsOfOtherPartsOfAProgramCountThere) {
  Report R = sample();
  R.Files[1] = R.Files[0];
  R.Files[1].Path = "l.cl";
  R.Files[1].Kernels[0].Line = 0;
  Baseline None = emptyBaseline();
  Compared C = against(None, R);
  ASSERT_EQ(C.Now.Entries.size(), 1u);
  EXPECT_EQ(C.Now.Entries[0].File, "k.cl");
}

TEST(Baseline, AnotherCompilerIsNoted) {
  Report R = sample();
  Baseline Old = old(usage(37, 6));
  EXPECT_EQ(against(Old, R).Against.Note, "");
  Old.Llvm = "21.0.0";
  Compared C = against(Old, R);
  EXPECT_EQ(C.Against.Note.find("written by clrewrite 0.1.0 with LLVM 21.0.0"),
            0u);
  EXPECT_EQ(C.Now.Llvm, LLVM_VERSION_STRING);
  // Not all figures are this one's then.
  Old.Entries.push_back({"z.cl", "k", 1, "gpu", usage(1, 1)});
  EXPECT_EQ(against(Old, R).Now.Llvm, "21.0.0");
}

TEST(Baseline, SumsHelpedAndHurtAndTheWorstFive) {
  BaselineReport B;
  for (unsigned I = 0; I < 8; ++I)
    B.Rows.push_back({"k.cl", I + 1, "k" + std::to_string(I), "gpu",
                      Fate::Changed, usage(20, 10),
                      usage(20 + (I + 1) % 8, I ? 10 : 8)});
  B.Rows.push_back(
      {"k.cl", 9, "new", "gpu", Fate::New, std::nullopt, usage(99, 1)});
  std::vector<FigureSum> Sums = B.sums();
  EXPECT_STREQ(Sums[0].Name, "VGPRs");
  EXPECT_EQ(Sums[0].Before, 160);
  EXPECT_EQ(Sums[0].After, 188);
  EXPECT_EQ(Sums[0].AffectedBefore, 140);
  EXPECT_EQ(Sums[0].AffectedAfter, 168);
  EXPECT_EQ(Sums[0].Hurt, 7u);
  EXPECT_EQ(Sums[0].Helped, 0u);
  ASSERT_EQ(Sums[0].Worst.size(), 5u);
  EXPECT_EQ(Sums[0].Worst[0], std::pair(size_t(6), 7.0));
  EXPECT_EQ(Sums[0].Worst[4], std::pair(size_t(2), 3.0));
  // More waves are better.
  EXPECT_STREQ(Sums[3].Name, "waves");
  EXPECT_EQ(Sums[3].Hurt, 1u);
  EXPECT_EQ(Sums[3].Worst[0].second, -2);
}

TEST(Baseline, WritersTellRegressions) {
  Report R = sample();
  R.Files.pop_back();
  BaselineReport B = against(old(usage(30, 6)), R).Against;
  B.Path = "b.json";
  R.Against = B;
  const char *Text = "VGPRs 30 -> 37, spills 0 -> ?, scratch bytes 0 -> ?";
  EXPECT_NE(written(writeGitHub, R)
                .find("::error file=k.cl,line=3,title=clrewrite%3A "
                      "regression::k on gpu: " +
                      std::string(Text) + "\n::notice file=b.json,"),
            std::string::npos);
  EXPECT_NE(written(writeCsv, R).find("\nbaseline,k.cl,3,k,gpu,,,,regression,"),
            std::string::npos);
  EXPECT_NE(written(writeJUnit, R)
                .find("failures=\"1\" errors=\"0\" "
                      "skipped=\"0\" time=\"0\">\n    "
                      "<testcase classname=\"k.cl\" "
                      "name=\"k on gpu against"),
            std::string::npos);
  EXPECT_NE(written(writeSarif, R).find("\"ruleId\": \"regression\""),
            std::string::npos);
  EXPECT_NE(written(writeMarkdown, R)
                .find("| gpu | **regression** | 30 → "
                      "**37** | 0 → **?** |"),
            std::string::npos);
  std::string Words;
  raw_string_ostream OS(Words);
  writeText(R, OS, /*Colour=*/false, /*AllDeclined=*/false);
  EXPECT_NE(Words.find("k.cl:3: regression: k on gpu: " + std::string(Text)),
            std::string::npos);
}
