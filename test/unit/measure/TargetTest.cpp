// Naming targets.
#include "measure/Target.h"
#include "measure/Backend.h"
#include "measure/amdgcn/Amdgcn.h"
#include "measure/nvptx/Nvptx.h"
#include "measure/r600/R600.h"
#include "llvm/Config/llvm-config.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

TEST(TargetFamilies, KnowTheirOwnNames) {
  for (const TargetFamily *Family : targetFamilies()) {
    EXPECT_FALSE(Family->names().empty());
    for (llvm::StringRef Name : Family->names()) {
      auto T = parseTarget(Name);
      ASSERT_TRUE(bool(T)) << llvm::toString(T.takeError());
      EXPECT_EQ(T->Family, Family) << Name.str();
    }
  }
}

TEST(Target, OldNamesAndNewOnes) {
  for (auto [Name, Cpu] : {std::pair("tahiti", "gfx600"),
                           {"hawaii", "gfx701"},
                           {"fiji", "gfx803"},
                           {"GFX906", "gfx906"},
                           {"gfx1201", "gfx1201"}}) {
    auto T = parseTarget(Name);
    ASSERT_TRUE(bool(T)) << Name;
    EXPECT_EQ(T->Cpu, Cpu);
  }
}

TEST(Target, AnotherLlvmIsSaidBehindTheName) {
  for (unsigned Major = OldestLlvm; Major <= NewestLlvm; ++Major) {
    std::string Name = "gfx906@" + std::to_string(Major);
    auto T = parseTarget(Name);
    ASSERT_TRUE(bool(T)) << llvm::toString(T.takeError());
    EXPECT_EQ(T->Name, Name);
    EXPECT_EQ(T->Cpu, "gfx906");
    EXPECT_EQ(T->Llvm, Major == LLVM_VERSION_MAJOR ? 0 : Major);
  }
  for (auto Name : {"gfx906@18", "gfx906@23", "gfx906@trunk"}) {
    auto T = parseTarget(Name);
    ASSERT_FALSE(bool(T)) << Name;
    EXPECT_EQ(llvm::toString(T.takeError()),
              std::string("target '") + Name +
                  "': @ is followed by the version of LLVM to compile with, 19 "
                  "to 22, or by all");
  }
  EXPECT_EQ(parseTarget("device:a@19")->Cpu, "a@19");
}

TEST(Target, UnknownOnesGetAHint) {
  auto T = parseTarget("gfx91a");
  ASSERT_FALSE(bool(T));
  std::string Why = llvm::toString(T.takeError());
  EXPECT_NE(Why.find("unknown target 'gfx91a'; did you mean"),
            std::string::npos);
}

TEST(Target, AgprsComeBesideALimit) {
  EXPECT_EQ(parseTarget("gfx906")->registersUnder(64), 64u);
  EXPECT_EQ(parseTarget("gfx1100")->registersUnder(64), 64u);
  EXPECT_EQ(parseTarget("gfx90a")->registersUnder(64), 128u);
  EXPECT_EQ(parseTarget("gfx942")->registersUnder(64), 128u);
}

TEST(Target, KindsByName) {
  EXPECT_EQ(parseTarget("gfx906")->Family, &amdgcnFamily());
  EXPECT_EQ(parseTarget("SM_90")->Family, &nvptxFamily());
  EXPECT_EQ(parseTarget("sm_90a")->Cpu, "sm_90a");
  EXPECT_TRUE(parseTarget("device")->isDevice());
  EXPECT_EQ(parseTarget("device")->Cpu, "");
  EXPECT_EQ(parseTarget("device:NVIDIA H200")->Cpu, "NVIDIA H200");
  auto T = parseTarget("sm_91");
  ASSERT_FALSE(bool(T));
  EXPECT_NE(llvm::toString(T.takeError()).find("did you mean 'sm_90'"),
            std::string::npos);
}

TEST(Target, GpusBeforeGcn) {
  for (auto [Name, Cpu] : {std::pair("redwood", "redwood"),
                           {"Cypress", "cypress"},
                           {"hemlock", "cypress"},
                           {"juniper", "juniper"},
                           {"cedar", "cedar"},
                           {"palm", "cedar"},
                           {"sumo", "sumo"},
                           {"sumo2", "sumo"},
                           {"barts", "barts"},
                           {"turks", "turks"},
                           {"caicos", "caicos"},
                           {"cayman", "cayman"},
                           {"aruba", "cayman"},
                           {"devastator", "cayman"}}) {
    auto T = parseTarget(Name);
    ASSERT_TRUE(bool(T)) << Name;
    EXPECT_EQ(T->Family, &r600Family()) << Name;
    EXPECT_EQ(T->Cpu, Cpu) << Name;
    EXPECT_FALSE(T->mayBeAmd()); // of the compilers that AmdOnly means
  }
  auto Old = parseTarget("rv770");
  ASSERT_FALSE(bool(Old));
  EXPECT_NE(llvm::toString(Old.takeError()).find("older than Evergreen"),
            std::string::npos);
  auto Misspelt = parseTarget("redwod");
  ASSERT_FALSE(bool(Misspelt));
  EXPECT_NE(llvm::toString(Misspelt.takeError()).find("'redwood'"),
            std::string::npos);
}

static std::string bystandersOf(std::initializer_list<const char *> Names,
                                const char *Chip = "") {
  std::vector<Target> Named;
  for (const char *Name : Names)
    Named.push_back(llvm::cantFail(parseTarget(Name)));
  if (*Chip) {
    Named.push_back(llvm::cantFail(parseTarget("device")));
    Named.back().Chip = Chip;
  }
  std::string Out;
  for (const Target &T : measure::bystandersOf(Named))
    Out += T.Name + " ";
  return Out;
}

TEST(BystanderTargets, StandForTheFamiliesThatAreNotNamed) {
  EXPECT_EQ(bystandersOf({"gfx600"}), "gfx1100 sm_90 ");
  EXPECT_EQ(bystandersOf({"gfx90a", "gfx1030"}), "sm_90 ");
  EXPECT_EQ(bystandersOf({"sm_75"}), "gfx906 gfx1100 ");
  EXPECT_EQ(bystandersOf({"redwood"}), "gfx906 gfx1100 sm_90 ");
  EXPECT_EQ(bystandersOf({"gfx906", "gfx1100", "sm_90"}), "");
}

TEST(BystanderTargets, ADeviceIsOfTheFamilyOfItsProcessor) {
  EXPECT_EQ(bystandersOf({}, "sm_90"), "gfx906 gfx1100 ");
  EXPECT_EQ(bystandersOf({}, "gfx1030"), "gfx906 sm_90 ");
  // What is no GPU is of none.
  EXPECT_EQ(bystandersOf({}, "pocl"), "gfx906 gfx1100 sm_90 ");
}

/// Where bystanders that were timed are spared, and \p Too.
static std::string shelterFor(std::initializer_list<const char *> Names,
                              std::initializer_list<const char *> Too = {}) {
  std::vector<Target> Named, Spared;
  for (const char *Name : Names)
    Named.push_back(llvm::cantFail(parseTarget(Name)));
  for (const Target &T : measure::bystandersOf(Named))
    if (measure::wasTimed(T))
      Spared.push_back(T);
  for (const char *Name : Too)
    Spared.push_back(llvm::cantFail(parseTarget(Name)));
  return measure::shelterFrom(Spared, Named).str();
}

TEST(Targets, HaveCompilersThatDefineAMacro) {
  auto Macro = [](const char *Name, const char *Chip = "") {
    Target T = llvm::cantFail(parseTarget(Name));
    T.Chip = Chip;
    return measure::macroOf(T).str();
  };
  EXPECT_EQ(Macro("gfx600"), "__AMDGCN__");
  EXPECT_EQ(Macro("gfx1100"), "__AMDGCN__");
  EXPECT_EQ(Macro("sm_90"), "__NVPTX__");
  EXPECT_EQ(Macro("cypress"), "");
  // A device's compiler is that of its processor, where it is known.
  EXPECT_EQ(Macro("device", "sm_86"), "__NVPTX__");
  EXPECT_EQ(Macro("device", "gfx906"), "__AMDGCN__");
  EXPECT_EQ(Macro("device"), "");
}

TEST(BystanderTargets, CanBeKeptFromWhatAmdsCompilersReadAlone) {
  EXPECT_EQ(shelterFor({"gfx600"}), "__AMDGCN__");
  EXPECT_EQ(shelterFor({"gfx906", "gfx1030"}), "__AMDGCN__");
  // No GPU is left that edits are often slower on.
  EXPECT_EQ(shelterFor({"gfx906", "sm_90"}), "");
  // Another target's compiler would not read them.
  EXPECT_EQ(shelterFor({"gfx906", "redwood"}), "");
  EXPECT_EQ(shelterFor({"gfx906", "device"}), "");
  EXPECT_EQ(shelterFor({"redwood"}), "");
  EXPECT_EQ(shelterFor({"sm_90"}), "");
  EXPECT_EQ(shelterFor({}), "");
  // A target may be spared itself.
  EXPECT_EQ(shelterFor({"gfx906", "sm_90"}, {"sm_90"}), "__AMDGCN__");
  EXPECT_EQ(shelterFor({"sm_90", "gfx906"}, {"sm_90"}), "__AMDGCN__");
  EXPECT_EQ(shelterFor({"gfx906", "sm_90", "sm_80"}, {"sm_90"}), "");
  EXPECT_EQ(shelterFor({"gfx906", "redwood", "sm_90"}, {"sm_90"}), "");
  EXPECT_EQ(shelterFor({"sm_90"}, {"sm_90"}), "");
}

TEST(DeviceArch, IsThatOfTheFirstKnownProcessor) {
  auto Of = [](std::vector<std::pair<const char *, const char *>> Names) {
    std::vector<Target> Targets;
    for (auto [Name, Chip] : Names) {
      Targets.push_back(llvm::cantFail(parseTarget(Name)));
      Targets.back().Chip = Chip;
    }
    std::optional<frontend::Arch> A = measure::deviceArchOf(Targets);
    return A ? A->Cpu : "";
  };
  EXPECT_EQ(Of({{"device", "sm_90"}}), "sm_90");
  EXPECT_EQ(Of({{"device", ""}, {"device", "gfx90a"}}), "gfx90a");
  EXPECT_EQ(Of({{"device", "pocl"}}), "");
  EXPECT_EQ(Of({{"gfx906", ""}, {"device", "sm_90"}}), "");
  EXPECT_EQ(Of({}), "");
}

TEST(TimedTargets, AreThoseOfNvidia) {
  EXPECT_TRUE(measure::wasTimed(llvm::cantFail(parseTarget("sm_75"))));
  EXPECT_FALSE(measure::wasTimed(llvm::cantFail(parseTarget("gfx906"))));
  Target Device = llvm::cantFail(parseTarget("device"));
  EXPECT_FALSE(measure::wasTimed(Device));
  Device.Chip = "sm_90";
  EXPECT_TRUE(measure::wasTimed(Device));
  Device.Chip = "pocl";
  EXPECT_FALSE(measure::wasTimed(Device));
}
