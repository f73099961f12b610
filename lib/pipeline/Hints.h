// What a text that does not parse lacks, looked for in the files around it:
// they are read as text, a bounded number of them.
#pragma once

#include "pipeline/Unit.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clrewrite::pipeline {

struct Sight;

/// "a", "a and b", "a, b and c".
std::string listed(llvm::ArrayRef<std::string> Names);

/// A file, and which of the names that another lacks it defines.
struct Definer {
  std::string Path;
  bool HasKernel;
  std::vector<std::string> Names;
};

/// The files of OpenCL C and headers in the folder of \p Path that define some
/// of \p Names, each name with one of them: rather one without a kernel, which
/// is a part of others, and rather one that defines more of them.
std::vector<Definer> definersOf(llvm::StringRef Path,
                                llvm::ArrayRef<std::string> Names);

/// The folder from which `#include "Header"` in the file \p Path would find a
/// file, as seen from the working folder: near \p Path, or else below one of
/// the folders above it, up to its repository's. Empty for none.
std::string folderGiving(llvm::StringRef Header, llvm::StringRef Path);

/// What the user can do about what \p Of lacks by \p Seen, a look that failed:
/// lines that begin with "hint: ". Empty where nothing is known. \p Again looks
/// at it with other options as well, such as "-D TILE=16".
std::string
hintsFor(const Unit &Of, const Sight &Seen,
         llvm::function_ref<Sight(llvm::ArrayRef<std::string>)> Again);

/// The hint that names the files with what \p Path lacks, and the command that
/// looks at it with them. \p Others are the files that are one program with it
/// already, and Path itself in its place. Empty for none.
std::string definersHint(llvm::StringRef Path, llvm::ArrayRef<Definer> Definers,
                         llvm::ArrayRef<std::string> Others);

} // namespace clrewrite::pipeline
