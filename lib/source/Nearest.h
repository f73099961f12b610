// The nearest name: which known name the user probably meant by one that does
// not exist.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace clrewrite {

/// The name in \p List that is at most \p Most letters away from \p Name, the
/// nearest of them; empty where none is.
llvm::StringRef nearest(llvm::StringRef Name,
                        llvm::ArrayRef<llvm::StringRef> List,
                        unsigned Most = 2);

} // namespace clrewrite
