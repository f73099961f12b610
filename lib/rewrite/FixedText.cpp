// Macros and typedefs that may be others in other builds.
//
// Edits hold for all options that a file is built with, not for those alone
// that it was read with: what takes a macro apart, or writes the type out that
// a typedef stands for, would be wrong with another definition of it.
#include "rewrite/FixedText.h"
#include "rewrite/Text.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite {

/// The words of \p Text that name macros, in order, with what follows them.
static std::vector<std::pair<StringRef, StringRef>>
macrosIn(StringRef Text, const ASTContext &Context) {
  auto inWord = [](char C) { return isAlnum(C) || C == '_'; };
  std::vector<std::pair<StringRef, StringRef>> Out;
  while (!(Text = Text.drop_until(inWord)).empty()) {
    StringRef Word = Text.take_while(inWord);
    Text = Text.drop_front(Word.size());
    auto Known = Context.Idents.find(Word);
    if (Known != Context.Idents.end() && Known->second->hadMacroDefinition())
      Out.push_back({Word, Text.ltrim()});
  }
  return Out;
}

/// All that the file's directives say of the macro \p Name is one #define,
/// and so it is with the macros in its body: with other options it is no other
/// one.
static bool isDefinedOnce(StringRef Name, const ASTContext &Context,
                          unsigned Depth = 0) {
  const SourceManager &SM = Context.getSourceManager();
  std::string All = SM.getBufferData(SM.getMainFileID()).str();
  for (StringRef End : {"\\\r\n", "\\\n"})
    for (size_t At; (At = All.find(End.str())) != std::string::npos;)
      All.replace(At, End.size(), " ");
  StringRef Definition;
  SmallVector<StringRef> Lines;
  StringRef(All).split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (!Line.ltrim().consume_front("#"))
      continue;
    StringRef Said = Line.ltrim().drop_front().ltrim();
    bool Defines = Said.consume_front("define");
    auto Names = macrosIn(Said, Context);
    if (none_of(Names, [&](const auto &N) { return N.first == Name; }))
      continue;
    if (Defines && Names[0].first != Name &&
        Said.ltrim().starts_with(Names[0].first))
      continue; // it stands in the body of another
    if (!Defines || !Definition.empty())
      return false;
    Definition = Said.ltrim().drop_front(Name.size());
  }
  return !Definition.empty() && Depth < 8 &&
         all_of(
             macrosIn(Definition, Context),
             [&](const auto &N) {
               return isDefinedOnce(N.first, Context, Depth + 1);
             });
}

bool macrosAreFixed(const Expr *E, const ASTContext &Context) {
  std::optional<StringRef> Text = text(E->getSourceRange(), Context);
  return Text && all_of(macrosIn(*Text, Context), [&](const auto &M) {
           return isDefinedOnce(M.first, Context);
         });
}

namespace {

class Operators : public RecursiveASTVisitor<Operators> {
public:
  bool FromMacro = false;
  bool VisitBinaryOperator(BinaryOperator *B) {
    FromMacro |= B->getOperatorLoc().isMacroID();
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    FromMacro |= U->getOperatorLoc().isMacroID();
    return true;
  }
};

} // namespace

bool operatorsAreFixed(const Expr *E, const ASTContext &Context) {
  Operators O;
  O.TraverseStmt(const_cast<Expr *>(E));
  return !O.FromMacro || macrosAreFixed(E, Context);
}

/// How often the file says `typedef ... Name;`.
static unsigned typedefsOf(StringRef Name, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Rest = SM.getBufferData(SM.getMainFileID());
  unsigned Count = 0;
  for (size_t At; (At = Rest.find("typedef")) != StringRef::npos;) {
    Rest = Rest.drop_front(At);
    StringRef Declaration = Rest.split(';').first.rtrim();
    bool Ends = Declaration.consume_back(Name);
    Count += Ends && !Declaration.empty() && !isAlnum(Declaration.back()) &&
             Declaration.back() != '_';
    Rest = Rest.drop_front(1);
  }
  return Count;
}

static bool isFixed(const TypeSourceInfo *T, const ASTContext &Context) {
  if (!T)
    return false;
  TypeLoc L = T->getTypeLoc();
  while (true) {
    L = L.getUnqualifiedLoc();
    if (auto P = L.getAsAdjusted<PointerTypeLoc>())
      L = P.getPointeeLoc();
    else if (auto A = L.getAsAdjusted<ArrayTypeLoc>())
      L = A.getElementLoc();
    else
      break;
  }
  if (L.getBeginLoc().isMacroID())
    return false;
  const auto *Alias = L.getType()->getAs<TypedefType>();
  const TypedefNameDecl *D = Alias ? Alias->getDecl() : nullptr;
  const SourceManager &SM = Context.getSourceManager();
  return !D || !SM.isInMainFile(SM.getExpansionLoc(D->getLocation())) ||
         (D->getLocation().isFileID() &&
          typedefsOf(D->getName(), Context) == 1 &&
          isFixed(D->getTypeSourceInfo(), Context));
}

bool hasFixedType(const DeclaratorDecl &D, const ASTContext &Context) {
  return isFixed(D.getTypeSourceInfo(), Context);
}

} // namespace clrewrite
