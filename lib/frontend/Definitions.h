// What a text defines outside its functions, read as tokens: nothing is
// preprocessed or parsed, so that any file can be asked.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace clrewrite::frontend {

/// The names that a text defines for the texts behind it.
struct Definitions {
  llvm::StringSet<> Functions; ///< with a body
  llvm::StringSet<> Called;    ///< macros that are called
  llvm::StringSet<> Types;     ///< typedef, struct, union, enum
  llvm::StringSet<> Values;    ///< variables
  llvm::StringSet<> Macros;    ///< those that are not called

  bool has(llvm::StringRef Name) const {
    return Functions.contains(Name) || Called.contains(Name) ||
           Types.contains(Name) || Values.contains(Name) ||
           Macros.contains(Name);
  }
};

/// Those of \p Text, whatever its #if leave out.
Definitions definitionsIn(llvm::StringRef Text);

} // namespace clrewrite::frontend
