// The list of all families of targets, and what is asked of each in turn. A new
// back end is a folder and a line here.
#include "measure/Backend.h"
#include "measure/amdgcn/Amdgcn.h"
#include "measure/device/DeviceTargets.h"
#include "measure/nvptx/Nvptx.h"
#include "measure/r600/R600.h"
#include "source/Nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace llvm;

namespace clrewrite::measure {

ArrayRef<const TargetFamily *> targetFamilies() {
  static const TargetFamily *const All[] = {&deviceFamily(), &amdgcnFamily(),
                                            &r600Family(), &nvptxFamily()};
  return All;
}

/// Sets which LLVM compiles for \p T by \p Version, what follows the @ in its
/// name.
static Error setLlvm(Target &T, StringRef Version) {
  unsigned Major;
  if (Version.getAsInteger(10, Major) || Major < OldestLlvm ||
      Major > NewestLlvm)
    return createStringError(
        "target '%s': @ is followed by the version of LLVM to compile with, %u "
        "to %u, or by all",
        T.Name.c_str(), OldestLlvm, NewestLlvm);
  if (Major != LLVM_VERSION_MAJOR)
    T.Llvm = Major;
  return Error::success();
}

Expected<Target> parseTarget(StringRef Name) {
  // A device's name may have any characters, and its driver compiles for it.
  auto [Gpu, Version] = Name.split('@');
  if (!Version.empty() && !Name.starts_with("device")) {
    Expected<Target> T = parseTarget(Gpu);
    if (!T)
      return T;
    T->Name = Name.str();
    if (Error E = setLlvm(*T, Version))
      return std::move(E);
    return T;
  }
  std::vector<StringRef> Known;
  for (const TargetFamily *Family : targetFamilies()) {
    Expected<std::optional<Target>> T = Family->parse(Name);
    if (!T)
      return T.takeError();
    if (*T)
      return std::move(**T);
    append_range(Known, Family->names());
  }
  StringRef Near = nearest(Name.lower(), Known);
  std::string Hint =
      Near.empty()
          ? ": a target is a GPU as its compiler calls it, AMD's gfx906 "
            "(rocminfo tells it) or NVIDIA's sm_86 (nvidia-smi "
            "--query-gpu=compute_cap), or device for what is here "
            "(clrewrite devices)"
          : ("; did you mean '" + Near + "'?").str();
  return createStringError("unknown target '%s'%s (known: %s)",
                           Name.str().c_str(), Hint.c_str(),
                           join(Known, " ").c_str());
}

/// \p T, or the target that it is for a compiler as a device; none where that
/// is not known.
static std::optional<Target> processorOf(const Target &T) {
  Expected<Target> Chip =
      T.isDevice() ? parseTarget(T.Chip) : Expected<Target>(T);
  if (Chip)
    return std::move(*Chip);
  consumeError(Chip.takeError());
  return std::nullopt;
}

std::vector<Target> bystandersOf(ArrayRef<Target> Named) {
  std::vector<Target> Known;
  for (const Target &T : Named)
    if (std::optional<Target> Chip = processorOf(T))
      Known.push_back(std::move(*Chip));
  std::vector<Target> Out;
  for (const TargetFamily *Family : targetFamilies())
    for (StringRef Cpu : Family->representatives())
      if (none_of(Known, [&](const Target &T) {
            return T.Family == Family &&
                   Family->lanes(T.Cpu) == Family->lanes(Cpu);
          }))
        Out.push_back(cantFail(parseTarget(Cpu)));
  return Out;
}

bool wasTimed(const Target &T) {
  std::optional<Target> Chip = processorOf(T);
  return Chip && Chip->Family && Chip->Family->wasTimed();
}

StringRef macroOf(const Target &T) {
  std::optional<Target> Chip = processorOf(T);
  return Chip && Chip->Family ? Chip->Family->macro() : "";
}

StringRef shelterFrom(ArrayRef<Target> Spared, ArrayRef<Target> Targets) {
  auto Macro = [](const Target &T) {
    return T.Family ? T.Family->macro() : StringRef();
  };
  auto IsSpared = [&](const Target &T) {
    return any_of(Spared, [&](const Target &S) { return S.Name == T.Name; });
  };
  auto First = find_if_not(Targets, IsSpared);
  if (Spared.empty() || First == Targets.end())
    return "";
  StringRef Common = Macro(*First);
  bool Theirs = all_of(Targets, [&](const Target &T) {
    return IsSpared(T) || Macro(T) == Common;
  });
  bool Others =
      any_of(Spared, [&](const Target &T) { return Macro(T) == Common; });
  return Theirs && !Others ? Common : "";
}

frontend::Arch archOf(ArrayRef<Target> Targets) {
  for (const Target &T : Targets)
    if (T.Family && !T.isDevice())
      return T.Family->arch(T.Cpu);
  return amdgcnFamily().arch("gfx906");
}

std::optional<frontend::Arch> deviceArchOf(ArrayRef<Target> Targets) {
  for (const Target &T : Targets)
    if (std::optional<Target> Chip = processorOf(T); Chip && Chip->Family)
      return T.isDevice() ? std::optional(Chip->Family->arch(Chip->Cpu))
                          : std::nullopt;
  return std::nullopt;
}

Expected<std::vector<std::unique_ptr<Backend>>>
openBackends(ArrayRef<Target> Targets, const BackendSettings &Settings) {
  std::vector<std::unique_ptr<Backend>> Out;
  for (const TargetFamily *Family : targetFamilies()) {
    bool Wanted = any_of(Targets, [&](const Target &T) {
      return T.Family == Family && !T.Llvm;
    });
    if (!Wanted || Family->isDevice())
      continue;
    Expected<std::unique_ptr<Backend>> One = Family->open(Settings);
    if (!One)
      return One.takeError();
    Out.push_back(std::move(*One));
  }
  return std::move(Out);
}

} // namespace clrewrite::measure
