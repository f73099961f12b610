// Advice: what a run notes of a kernel that is no edit, as values.
#pragma once

#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace clrewrite::advice {

/// A note at a place of a text.
struct Advice {
  std::string Name; ///< of its sort, kebab-case
  /// The function it stands in, and the kernels that reach that function.
  std::string Function;
  std::vector<std::string> Kernels = {};
  unsigned Line = 0;   ///< 1-based
  unsigned Offset = 0; ///< bytes
  std::string Message; ///< a sentence without its period
};

/// By place, then name, then message.
bool operator<(const Advice &A, const Advice &B);
bool operator==(const Advice &A, const Advice &B);

llvm::json::Value toJSON(const Advice &A);
bool fromJSON(const llvm::json::Value &V, Advice &A, llvm::json::Path P);

/// What a run knows that a text does not say.
struct AdviceFacts {
  /// A configured target whose waves are known.
  struct Wave {
    std::string Target;
    unsigned Lanes = 0;
  };
  std::vector<Wave> Waves = {};
  /// How the user says that a kernel is launched.
  struct Group {
    std::string Kernel;
    std::vector<uint64_t> Local; ///< work-items, by dimension
  };
  std::vector<Group> Groups = {};
  /// Private memory of a lane that no spilled register explains.
  struct Scratch {
    std::string Kernel, Target;
    unsigned Bytes = 0;
  };
  std::vector<Scratch> Scratches = {};
};

} // namespace clrewrite::advice
