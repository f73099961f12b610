// Edits are applied to a text, compared, and rebased onto the text that other
// edits lead to.
#include "source/Edit.h"
#include "source/JsonMembers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite {

/// One insertion that both sets need.
static bool same(const Edit &A, const Edit &B) {
  return A.Shared && B.Shared && A == B;
}

Edits inOrder(ArrayRef<Edit> List) {
  Edits Sorted(List.begin(), List.end());
  llvm::sort(Sorted, [](const Edit &A, const Edit &B) {
    return std::tuple(A.Offset, A.end(), A.Shared, A.Text) <
           std::tuple(B.Offset, B.end(), B.Shared, B.Text);
  });
  Sorted.erase(llvm::unique(Sorted, same), Sorted.end());
  return Sorted;
}

/// Two edits conflict where they share a byte, or where both insert at one
/// place (their order would be a guess).
static bool conflict(const Edit &A, const Edit &B) {
  if (A.Offset == B.Offset)
    return A.Length == B.Length || (A.Length != 0 && B.Length != 0);
  const Edit &First = A.Offset < B.Offset ? A : B;
  const Edit &Second = A.Offset < B.Offset ? B : A;
  return First.end() > Second.Offset;
}

StringRef lineEnding(StringRef Text) {
  size_t Lf = Text.count('\n'), CrLf = Text.count("\r\n");
  if (Text.count('\r') - CrLf > Lf)
    return "\r";
  return CrLf * 2 > Lf ? "\r\n" : "\n";
}

static std::string withLineEnding(StringRef Text, StringRef Ending) {
  std::string Out;
  for (; !Text.empty(); Text = Text.drop_front()) {
    Text.consume_front(Text.starts_with("\r\n") ? "\r" : "");
    if (Text.front() == '\n')
      Out += Ending;
    else
      Out += Text.front();
  }
  return Out;
}

Edits withEndingsOf(StringRef Text, Edits List) {
  StringRef Ending = lineEnding(Text);
  for (Edit &E : List)
    E.Text = withLineEnding(E.Text, Ending);
  return List;
}

Expected<std::string> applyEdits(StringRef Text, ArrayRef<Edit> List) {
  Edits Sorted = inOrder(List);
  StringRef Ending = lineEnding(Text);
  std::string Out;
  size_t At = 0;
  for (size_t I = 0; I < Sorted.size(); ++I) {
    const Edit &E = Sorted[I];
    if (I && conflict(Sorted[I - 1], E))
      return createStringError("edits overlap at byte %u", E.Offset);
    if (E.end() > Text.size())
      return createStringError("an edit ends at byte %u of a text of %zu",
                               E.end(), Text.size());
    Out += Text.slice(At, E.Offset);
    Out += withLineEnding(E.Text, Ending);
    At = E.end();
  }
  Out += Text.drop_front(At);
  return Out;
}

std::optional<Edits> rebase(ArrayRef<Edit> Later, ArrayRef<Edit> Applied) {
  Edits Sorted = inOrder(Applied), Out;
  for (Edit E : Later) {
    long Shift = 0;
    for (const Edit &A : Sorted) {
      // Where A's text stands now.
      long Begin = long(A.Offset) + Shift, End = Begin + long(A.Text.size());
      if (long(E.end()) <= Begin && !(E.Offset == Begin && E.Length == 0))
        break;
      if (long(E.Offset) < End || (E.Offset == End && E.Length == 0))
        return std::nullopt;
      Shift += long(A.Text.size()) - long(A.Length);
    }
    E.Offset = unsigned(long(E.Offset) - Shift);
    Out.push_back(std::move(E));
  }
  return Out;
}

bool overlap(ArrayRef<Edit> A, ArrayRef<Edit> B) {
  return llvm::any_of(A, [&](const Edit &X) {
    return llvm::any_of(
        B, [&](const Edit &Y) { return !same(X, Y) && conflict(X, Y); });
  });
}

template <typename Io> static bool mapMembers(Io &O, Edit &E) {
  return O.map("offset", E.Offset) && O.map("length", E.Length) &&
         mapBytes(O, "text", E.Text) && O.map("shared", E.Shared) &&
         O.map("defines", E.Defines);
}

json::Value toJSON(const Edit &E) { return written(E); }
bool fromJSON(const json::Value &V, Edit &E, json::Path P) {
  return readInto(E, V, P);
}

} // namespace clrewrite
