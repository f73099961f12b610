// What the built-in functions of OpenCL C do, as far as a proof must know it.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace clrewrite::prove {

struct Builtin {
  /// Without the mangling: "vload4".
  std::string Name;
  /// How its arguments' types are mangled: "mPU3AS1Kf".
  std::string Types;
};

/// Nullopt for a name that is not mangled.
std::optional<Builtin> demangle(llvm::StringRef Mangled);

/// How many elements vloadN or vstoreN (\p Prefix) access; 0 for another
/// function.
unsigned lanesOf(const Builtin &B, llvm::StringRef Prefix);

/// A name for what \p B does to each lane of its operands, the same whether
/// they are vectors or scalars; empty where it does not work by lanes.
std::string laneName(const Builtin &B);

/// True where the result depends on the arguments and on nothing else.
bool isFunctionOfArguments(const llvm::Function &F, const Builtin &B);

} // namespace clrewrite::prove
