// Each option of clBuildProgram is looked up in a table, and rejected, ignored
// or passed on to Clang.
#include "frontend/BuildOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace clrewrite::frontend {

std::vector<std::string> splitBuildOptions(StringRef Text) {
  BumpPtrAllocator Alloc;
  StringSaver Saver(Alloc);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return {Words.begin(), Words.end()};
}

Error checkQuotes(StringRef Text) {
  size_t Open = StringRef::npos;
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\\')
      ++I;
    else if (Open == StringRef::npos && (Text[I] == '"' || Text[I] == '\''))
      Open = I;
    else if (Open != StringRef::npos && Text[I] == Text[Open])
      Open = StringRef::npos;
  if (Open == StringRef::npos)
    return Error::success();
  return createStringError("a quote is not closed: " + Text.substr(Open));
}

/// The options of the OpenCL specification that Clang takes by the same name
/// (OpenCL 3.0 API specification, "Compiler Options").
static bool isStandardFlag(StringRef Word) {
  static const StringSet<> Flags{"-cl-single-precision-constant",
                                 "-cl-denorms-are-zero",
                                 "-cl-fp32-correctly-rounded-divide-sqrt",
                                 "-cl-strict-aliasing",
                                 "-cl-mad-enable",
                                 "-cl-no-signed-zeros",
                                 "-cl-unsafe-math-optimizations",
                                 "-cl-finite-math-only",
                                 "-cl-fast-relaxed-math",
                                 "-cl-kernel-arg-info",
                                 "-w"};
  return Flags.contains(Word);
}

/// Options that Clang's front end spells otherwise or that only matter to the
/// host's driver.
static bool isDriverOnly(StringRef Word) {
  return Word.starts_with("-cl-nv-") || Word.starts_with("-cl-amd-") ||
         Word.starts_with("-cl-intel-") || Word.starts_with("-cl-ocloc") ||
         Word.starts_with("-fbin-") || Word.starts_with("-fno-bin-") ||
         Word.starts_with("-save-temps") || Word == "-g" || Word == "-Werror" ||
         Word == "-cl-no-subgroup-ifp" || Word == "-create-library" ||
         Word == "-enable-link-options" || Word == "-cl-opt-disable" ||
         Word == "-cl-uniform-work-group-size" || Word.starts_with("-O");
}

Expected<std::vector<std::string>>
parseBuildOptions(ArrayRef<std::string> Words,
                  std::vector<std::string> *Ignored) {
  std::vector<std::string> Out;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (isDriverOnly(Word)) {
      if (Ignored)
        Ignored->push_back(Word.str());
    } else if (is_contained({"-D", "-U", "-I", "-include", "-isystem"}, Word)) {
      // The value stands in the next word.
      if (I + 1 == Words.size())
        return createStringError("build option %s needs a value",
                                 Word.str().c_str());
      Out.push_back(Word.str());
      Out.push_back(Words[++I]);
    } else if (Word == "-x") {
      // `-x clc` and `-x cl` say what is taken for granted here.
      if (I + 1 < Words.size())
        ++I;
    } else if (Word.starts_with("-D") || Word.starts_with("-U") ||
               Word.starts_with("-I") || Word.starts_with("-cl-std=") ||
               Word.starts_with("-cl-ext=") || Word.starts_with("-W") ||
               Word == "-mwavefrontsize64" || Word == "-mno-wavefrontsize64" ||
               Word == "-fdeclare-opencl-builtins" || Word == "-ffast-math" ||
               isStandardFlag(Word)) {
      Out.push_back(Word.str());
    } else {
      return createStringError(
          "unknown build option '%s'; those of clBuildProgram are known (-D, "
          "-U, -I, -include, -cl-..., -W..., -w)",
          Word.str().c_str());
    }
  }
  return Out;
}

bool hasStandard(ArrayRef<std::string> Options) {
  return any_of(Options, [](StringRef O) { return O.starts_with("-cl-std="); });
}

} // namespace clrewrite::frontend
