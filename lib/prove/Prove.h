// Proof: do two versions of a kernel leave the same for every input?
//
// Both are executed on terms (Execute.h), in one graph (Terms.h). They are the
// same where the memories that they leave and what they did in order are the
// same terms, and where the new version does nothing that is undefined but what
// the original does too. docs/proof.md is the user's page.
#pragma once

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace clrewrite::prove {

struct Proof {
  bool Proved = false;
  /// Why it is not proved.
  std::string Why;
  /// The line that this is about, and whether it is one of the new version; 0
  /// for none.
  unsigned Line = 0;
  bool InNew = false;
};

/// Compares \p Kernel in \p Before and \p After, each in a context of its own,
/// so that types have the same names in both. The modules are changed. With
/// \p NoOverlap no two arguments lead to the same memory.
Proof prove(llvm::Module &Before, llvm::Module &After,
            const std::string &Kernel, bool NoOverlap);

} // namespace clrewrite::prove
