// The parts of bitcode libraries that kernels need, made once.
//
// Linking from a library of ten thousand functions looks at each of their
// names, and uses the library up. So the few functions that are called, and
// what these call in turn, are copied into a small module, in the library's
// order, and written as bitcode. That is what gets read and linked for every
// compilation, into a context of its own. What one kernel needs the next one
// mostly needs too: a new name has the excerpt made anew, with all that were
// asked for until then.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class GlobalValue;
class LLVMContext;
class Module;
} // namespace llvm

namespace clrewrite::measure {

class Excerpts {
public:
  Excerpts();
  Excerpts(Excerpts &&);
  ~Excerpts();

  /// Opens a library. Those that call others come before them.
  llvm::Error open(const std::string &Path);
  bool empty() const { return Libraries.empty(); }
  /// Calls \p Use with the name of each function of a library.
  void eachName(const std::function<void(llvm::StringRef)> &Use) const;

  /// Links what \p M needs into it, as internal functions. Any number of
  /// times, whatever \p M's context is.
  llvm::Error link(llvm::Module &M);

private:
  struct Library {
    std::unique_ptr<llvm::Module> Whole;
    /// The order of what it has; empty before it is needed.
    llvm::DenseMap<const llvm::GlobalValue *, unsigned> Places;
  };
  std::unique_ptr<llvm::LLVMContext> Context;
  std::vector<Library> Libraries;
  llvm::StringSet<> Asked;          ///< what the excerpts have
  std::vector<std::string> Bitcode; ///< of each library's excerpt

  llvm::Error prepare(const llvm::Module &M);
  llvm::Error cut();
};

} // namespace clrewrite::measure
