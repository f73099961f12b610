// Options that a text lacks: they are tried until it parses.
#pragma once

#include "pipeline/Hints.h"
#include "pipeline/Look.h"
#include <functional>
#include <optional>

namespace clrewrite::pipeline {

/// Where options come from.
struct OptionSources {
  /// The text with \p Options, such as "-D TILE=16", as it is parsed.
  std::function<Sight(llvm::ArrayRef<std::string> Options)> Look;
  /// What stands behind -I for the folder that gives a header; empty for none.
  std::function<std::string(llvm::StringRef Header)> FolderOf;
  /// What the host program passes for a macro, as behind -D: "TILE=16",
  /// "ADD(a,b)=a+b", "FAST". None where it passes none, or nobody can tell. May
  /// be null.
  std::function<std::optional<std::string>(llvm::StringRef Macro)> Passed;
  /// What stands behind -include for a file beside the text that has no kernel,
  /// and which the host program puts before it. May be null: then nothing is
  /// included, and a user is told what to build together.
  std::function<std::string(llvm::StringRef Path)> IncludeOf;
};

struct FoundOptions {
  /// The options, and for each what it is for, as a user is told.
  std::vector<std::string> Options, Names;
  /// How many of them the first look asked for.
  size_t OfFirst = 0;
  /// Macros that no host program was seen to pass so.
  std::vector<std::string> Guesses;
  /// The files beside that define names which the text lacks, at the last look:
  /// the host program builds them as one, so that nothing is guessed for these.
  std::vector<Definer> Others;
  std::vector<Definer> OthersOfFirst; ///< the same at the first look
  Sight Last;                         ///< of the text with all of the options
};

/// What an option is about: "-D TILE" of "-D TILE=16", "-D ADD" of "-D
/// ADD(a,b)=a+b", "-I inc". Of one macro there is one definition.
llvm::StringRef subjectOf(llvm::StringRef Option);

/// The build \p B with \p More options as well, such as "-D TILE=16". The error
/// says which of them is none.
llvm::Expected<Build> withOptions(Build B, llvm::ArrayRef<std::string> More);

/// Adds what the text \p Path lacks, of which \p First is the look without any
/// options, as often as that makes something else known. No files beside it are
/// looked at where \p Path is empty.
FoundOptions findOptions(llvm::StringRef Path, Sight First,
                         const OptionSources &From);

} // namespace clrewrite::pipeline
