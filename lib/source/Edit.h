// A textual edit: bytes of a source that are replaced by other bytes.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace clrewrite {

/// Replaces Length bytes at byte Offset by Text. Length 0 inserts.
struct Edit {
  unsigned Offset = 0;
  unsigned Length = 0;
  std::string Text;
  /// An insertion that several edit sets may need, such as a macro's
  /// definition: the same one at the same place is made once.
  bool Shared = false;
  /// The names of the functions that an insertion defines, in its order.
  /// Another edit may define the same function by another name
  /// (select/SharedDefinitions.h).
  std::vector<std::string> Defines = {};

  unsigned end() const { return Offset + Length; }
  bool operator==(const Edit &O) const {
    return Offset == O.Offset && Length == O.Length && Text == O.Text;
  }
};

using Edits = std::vector<Edit>;

/// Applies \p List to \p Text. Newlines in the inserted text take the line
/// ending that is commonest in \p Text. Fails on edits that overlap, insert at
/// the same place (but for the same shared insertion), or reach past the end.
llvm::Expected<std::string> applyEdits(llvm::StringRef Text,
                                       llvm::ArrayRef<Edit> List);

/// \p List in order, each shared insertion once.
Edits inOrder(llvm::ArrayRef<Edit> List);

/// Expresses \p Later, which was made against the text after \p Applied, in
/// offsets of the text before. None where an edit touches inserted text, and
/// so has no place in the text before.
std::optional<Edits> rebase(llvm::ArrayRef<Edit> Later,
                            llvm::ArrayRef<Edit> Applied);

/// True where the two sets can not be applied together.
bool overlap(llvm::ArrayRef<Edit> A, llvm::ArrayRef<Edit> B);

/// \p List with the line endings that applyEdits gives its texts in \p Text:
/// rebase counts their bytes.
Edits withEndingsOf(llvm::StringRef Text, Edits List);

/// "\r\n" or "\r" where most lines of \p Text end so, else "\n".
llvm::StringRef lineEnding(llvm::StringRef Text);

/// For our own processes and the cache: texts are those of textOfBytes().
llvm::json::Value toJSON(const Edit &E);
bool fromJSON(const llvm::json::Value &V, Edit &E, llvm::json::Path P);

} // namespace clrewrite
