// The functions of bitcode libraries that kernels call, copied into small
// modules once.
//
// To link from a library of ten thousand functions, LLVM's linker looks at each
// of their names, and uses the library up. So the few functions that are
// called, and those that they call in turn, are copied into a small module, in
// the library's order, and written as bitcode. Every compilation reads and
// links that module, into a context of its own. Mostly, one kernel needs what
// the one before needed too: when a new name comes up, the subset is made anew,
// with all names that were asked for until then.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace clrewrite::measure {

class LibrarySubsets {
public:
  /// Opens a library. Those that call others come before them. It stays open
  /// until the process ends, for all that open it while the file is the same:
  /// to free its functions one by one would take half as long as to read them.
  llvm::Error open(const std::string &Path);
  bool empty() const { return Libraries.empty(); }
  /// Calls \p Use with the name of each function of a library.
  void eachName(const std::function<void(llvm::StringRef)> &Use) const;

  /// Links what \p M calls into it, as internal functions. This may be called
  /// any number of times, with modules of any context.
  llvm::Error link(llvm::Module &M);

private:
  struct Library;
  std::vector<Library *> Libraries;
  llvm::StringSet<> Asked;          ///< the names that the subsets have
  std::vector<std::string> Bitcode; ///< of each library's subset

  llvm::Error prepare(const llvm::Module &M);
  llvm::Error cut();
};

} // namespace clrewrite::measure
