// Proof: do two versions of a kernel leave the same for every input?
//
// Both are executed on terms (Execute.h), in one graph (Terms.h). They are the
// same where the memories that they leave and what they did in order are the
// same terms, and where the new version does nothing that is undefined but what
// the original does too. docs/proof.md is the user's page.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace clrewrite::prove {

/// A launch that is worth a run: in which two versions may leave other memory,
/// or a branch may be taken.
struct Suspect {
  uint64_t Global[3] = {1, 1, 1}, Local[3] = {1, 1, 1};
  /// The bits of arguments by value, by argument and lane.
  std::map<std::pair<unsigned, unsigned>, uint64_t> Values;
  /// Numbers that the memory of arguments should have: bits, by how many.
  std::map<unsigned, std::vector<std::pair<unsigned, uint64_t>>> Numbers;
  /// Or all that the memory of arguments should begin with, before zeros.
  std::map<unsigned, std::string> Contents = {};
};

struct Proof {
  bool Proved = false;
  /// Why it is not proved.
  std::string Why;
  /// The line that this is about, and whether it is one of the new version; 0
  /// for none.
  unsigned Line = 0;
  bool InNew = false;
  /// Where it is not proved: what to try on a device.
  std::vector<Suspect> Suspects = {};
};

/// Compares \p Kernel in \p Before and \p After, each in a context of its own,
/// so that types have the same names in both. The modules are changed. With
/// \p NoOverlap no two arguments lead to the same memory. Where it is not
/// proved, Suspects are looked for, for no more than \p Seconds.
Proof prove(llvm::Module &Before, llvm::Module &After,
            const std::string &Kernel, bool NoOverlap, double Seconds = 1);

/// Launches of \p Kernel in \p M in which it may write to some of \p Words of
/// its last argument, a buffer of ints which no other argument leads to: one a
/// word at most. The module is changed. No more than \p Seconds are spent.
std::vector<Suspect> launchesThatWrite(llvm::Module &M,
                                       const std::string &Kernel,
                                       const std::vector<unsigned> &Words,
                                       bool NoOverlap, double Seconds = 1);

} // namespace clrewrite::prove
