// Reading names of edits.
#include "select/EditName.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {

constexpr Safety Classes[] = {Safety::Exact, Safety::Assumes,
                              Safety::Approximate, Safety::Contract};

bool EditName::covers(StringRef OfRewrite,
                      const clrewrite::Alternative &A) const {
  return Rewrite == OfRewrite &&
         (Alternative.empty() || Alternative == A.Label) &&
         (!Class || *Class == A.Class);
}

std::string EditName::text() const {
  return Rewrite + (Alternative.empty() ? "" : "/" + Alternative) +
         (Class ? ":" + name(*Class).str() : "");
}

Expected<EditName> parseEditName(StringRef Text) {
  EditName Out;
  auto [Name, Class] = Text.split(':');
  auto [Rewrite, Alternative] = Name.split('/');
  Out.Rewrite = Rewrite.str();
  Out.Alternative = Alternative.str();
  for (Safety S : Classes)
    if (Class == name(S))
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
               const Alternative &A) {
  return any_of(List, [&](const EditName &N) { return N.covers(Rewrite, A); });
}

} // namespace clrewrite
