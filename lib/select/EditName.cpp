// Names of edits are read, and compared with alternatives.
#include "select/EditName.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {

constexpr rewrite::Safety Classes[] = {
    rewrite::Safety::Exact, rewrite::Safety::Assumes,
    rewrite::Safety::Approximate, rewrite::Safety::Contract};

bool EditName::covers(StringRef OfRewrite,
                      const clrewrite::rewrite::Alternative &A) const {
  return Rewrite == OfRewrite &&
         (Alternative.empty() || Alternative == A.Label) &&
         (!Class || *Class == A.Class);
}

std::string EditName::text() const {
  return Rewrite + (Alternative.empty() ? "" : "/" + Alternative) +
         (Class ? ":" + rewrite::name(*Class).str() : "");
}

Expected<EditName> parseEditName(StringRef Text) {
  EditName Out;
  auto [Name, Class] = Text.split(':');
  auto [Rewrite, Alternative] = Name.split('/');
  Out.Rewrite = Rewrite.str();
  Out.Alternative = Alternative.str();
  for (rewrite::Safety S : Classes)
    if (Class == rewrite::name(S))
      Out.Class = S;
  bool Whole = !Rewrite.empty() && !Name.ends_with("/") &&
               (Out.Class || !Text.contains(':'));
  if (Whole)
    return Out;
  return createStringError("'" + Text +
                           "' is not REWRITE[/ALTERNATIVE][:CLASS]; classes "
                           "are exact, assumes, approximate and contract");
}

bool anyCovers(ArrayRef<EditName> List, StringRef Rewrite,
               const rewrite::Alternative &A) {
  return any_of(List, [&](const EditName &N) { return N.covers(Rewrite, A); });
}

} // namespace clrewrite::select
