// narrow-index: 64-bit indices become 32-bit ones.
//
// get_global_id() gives a size_t, and what is computed from it has 64 bits: two
// registers a value, and several instructions a product on GPUs. Here
//   size_t x = get_global_id(0);   becomes   int x = get_global_id(0);
// for all such variables of a function together, since mixed widths would need
// conversions; and where an id stands in arithmetic itself, it is converted
// first: `(int)get_global_id(0) * 4`. What is compared with an index, and may
// be negative, is converted to uint: `x < (uint)n`, since `x < n` compared
// unsigned numbers before. Narrowing.h follows the values through the function:
// what can't be narrowed is declined, and what only fits if indices are small
// enough is stated as an assumption. int and uint are alternatives since
// compilers treat them differently: an int may not overflow, a uint needs no
// sign extension.
#include "Narrowing.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Text.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::narrow_index {
namespace {

constexpr IntType Int{32, true}, UInt{32, false};

bool holdsIndices(const FunctionDecl &Node, ASTContext &Context) {
  if (!Node.doesThisDeclarationHaveABody())
    return false;
  IndexVariables V(Node, Context);
  return V.LeftOut || !V.Indices.empty() ||
         !narrowed(V, Node, Int, Context).Conversions.empty();
}

Narrowing narrowingOf(const Site &S, IntType To) {
  return narrowed(IndexVariables(S.Function, S.Context), S.Function, To,
                  S.Context);
}

/// The declarations that hold an index.
std::vector<const DeclStmt *> declarationsOf(const Site &S) {
  IndexVariables V(S.Function, S.Context);
  return allIn<DeclStmt>(S.Function.getBody(), [&](const DeclStmt *Each) {
    return any_of(Each->decls(), [&](const Decl *One) {
      const auto *Variable = dyn_cast<VarDecl>(One);
      return Variable && V.Indices.contains(Variable->getCanonicalDecl());
    });
  });
}

/// The tokens that spell the type of a declaration of indices alone; invalid
/// where other variables share it, or anything unknown stands there.
SourceRange typeTokens(const DeclStmt *D, const Site &S) {
  IndexVariables V(S.Function, S.Context);
  for (const Decl *Each : D->decls()) {
    const auto *Variable = dyn_cast<VarDecl>(Each);
    if (!Variable || !V.Indices.contains(Variable->getCanonicalDecl()))
      return {};
  }
  const auto *First = cast<VarDecl>(*D->decl_begin());
  SourceRange R = First->getTypeSourceInfo()
                      ->getTypeLoc()
                      .getUnqualifiedLoc()
                      .getSourceRange();
  if (!isPlainText(R, S.Context))
    return {};
  SmallVector<StringRef> Words;
  SplitString(*text(R, S.Context), Words);
  auto isBuiltin = [](StringRef Word) {
    return is_contained({"unsigned", "signed", "long", "int"}, Word);
  };
  bool Typedef = Words.size() == 1 && !isBuiltin(Words.front());
  for (StringRef Word : Words)
    if ((!Typedef && !isBuiltin(Word)) ||
        S.Context.Idents.get(Word).hadMacroDefinition())
      return {};
  // `long const unsigned x` would go on being unsigned.
  std::optional<Token> Next = Lexer::findNextToken(
      R.getEnd(), S.Context.getSourceManager(), S.Context.getLangOpts());
  bool Ends = Next && Next->is(tok::raw_identifier) &&
              (Typedef || Next->getRawIdentifier() == First->getName());
  return Ends ? R : SourceRange();
}

bool someIsIndex(const Site &S) {
  const VarDecl *Sum = IndexVariables(S.Function, S.Context).LeftOut;
  return !Sum || S.brokenBy(SourceRange(Sum->getLocation()));
}

bool typesArePlain(const Site &S) {
  return all_of(declarationsOf(S),
                [&](const DeclStmt *D) {
                  return typeTokens(D, S).isValid() ||
                         S.brokenBy(D->getSourceRange());
                }) &&
         none_of(ArrayRef{"int", "uint", "ulong"}, [&](StringRef Name) {
           return S.Context.Idents.get(Name).hadMacroDefinition();
         });
}

template <Narrowing::Obstacle O> bool isFreeOf(const Site &S) {
  Narrowing N = narrowingOf(S, Int);
  return N.Against != O || S.brokenBy(N.At);
}

/// The edits, at most one at a place.
Edits changesOf(const Site &S, StringRef Type, const Narrowing &N) {
  std::map<unsigned, std::string> At;
  for (const Expr *Call : N.Conversions)
    At[insertion(Call->getBeginLoc(), "", S.Context).Offset] =
        ("(" + Type + ")").str();
  // Outer operands come later, so their opening goes first.
  for (const auto &[Operand, To] : N.Unsigned) {
    Edit Whole = replacement(Operand->getSourceRange(), "", S.Context);
    bool Simple =
        spelledOperand(Operand, S.Context) == spelled(Operand, S.Context);
    std::string &Open = At[Whole.Offset];
    Open = (To.Bits == 64 ? "(ulong)" : "(uint)") +
           std::string(Simple ? "" : "(") + Open;
    if (!Simple)
      At[Whole.end()] += ")";
  }
  Edits Out;
  for (const auto &[Offset, Text] : At)
    Out.push_back(Edit{Offset, 0, Text});
  for (const DeclStmt *D : declarationsOf(S))
    Out.push_back(replacement(typeTokens(D, S), Type.str(), S.Context));
  return Out;
}

Alternative alternative(const Site &S, StringRef Type, const Narrowing &N) {
  Alternative A;
  A.Label = Type.str();
  A.Changes = changesOf(S, Type, N);
  if (N.Assumed) {
    A.Class = Safety::Assumes;
    A.Note = "every index and every sum and product of them stays below ";
    A.Note += Type == "int" || N.Half ? "2^31" : "2^32";
  }
  return A;
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out{alternative(S, "int", narrowingOf(S, Int))};
  Narrowing Unsigned = narrowingOf(S, UInt);
  if (Unsigned.Against == Narrowing::None)
    Out.push_back(alternative(S, "uint", Unsigned));
  return Out;
}

} // namespace

const Rewrite &rewriteNarrowIndex() {
  static const Rewrite R{
      "narrow-index",
      "compute indices in 32 bits instead of 64",
      Safety::Exact,
      sitesOf<FunctionDecl, holdsIndices>,
      {{"no 64-bit variable is an index: they are sums of data or products of "
        "themselves, as hashes are",
        someIsIndex},
       {"the type of an index comes from a macro, or its declaration holds "
        "other variables as well",
        typesArePlain, "declare it alone, with the type written out"},
       {"an index is used where its type counts, as an operand of sizeof or & "
        "does",
        isFreeOf<Narrowing::TypeShows>, "let a copy of the index stand there"},
       {"an index is shifted by a count that may be 32 or more",
        isFreeOf<Narrowing::Shift>},
       {"what may be negative is divided, shifted or converted to float as an "
        "unsigned 64-bit number",
        isFreeOf<Narrowing::Negative>},
       {"a result that may be below zero would be computed in uint",
        isFreeOf<Narrowing::Wraps>}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::narrow_index
