// Writing a chain of loads one term at a time.
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/LoadChain.h"
#include "rewrite/text/Text.h"
#include "rewrite/text/Unify.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// How the chain's value leaves it.
struct Destination {
  enum { Assignment, Declaration, Temporary } Kind = Temporary;
  std::string Name;
  const BinaryOperator *Assign = nullptr;
  const VarDecl *Variable = nullptr;
};

/// A variable that the sum is given to can hold it while it grows, unless
/// something of the sum names it.
Destination destinationOf(const Site &S, const Stmt *Statement,
                          const Chain &C) {
  const BinaryOperator &Root = *S.get<BinaryOperator>();
  auto named = [&](const VarDecl *V) {
    return mentions(&Root, V) || mentions(C.First, V) ||
           any_of(C.Steps,
                  [&](const ChainStep &St) { return mentions(St.Term, V); });
  };
  Destination D;
  if (const auto *B = dyn_cast<BinaryOperator>(Statement);
      B && B->getOpcode() == BO_Assign &&
      B->getRHS()->IgnoreParenImpCasts() == &Root)
    if (const VarDecl *V = privateVariable(B->getLHS(), S.Function);
        V && !named(V) &&
        S.Context.hasSameUnqualifiedType(V->getType(), Root.getType())) {
      D.Kind = Destination::Assignment;
      D.Name = V->getNameAsString();
      D.Assign = B;
      return D;
    }
  if (const auto *Decl = dyn_cast<DeclStmt>(Statement))
    if (const auto *V = dyn_cast<VarDecl>(Decl->getSingleDecl());
        V && V->getInit() && V->getInit()->IgnoreParenImpCasts() == &Root &&
        !V->getType().isConstQualified() && V->hasLocalStorage() &&
        !V->getType().isVolatileQualified() && !named(V) &&
        S.Context.hasSameUnqualifiedType(V->getType(), Root.getType())) {
      D.Kind = Destination::Declaration;
      D.Name = V->getNameAsString();
      D.Variable = V;
      return D;
    }
  D.Name = freshLocal("combined", S);
  return D;
}

std::string opText(BinaryOperatorKind Op) {
  return BinaryOperator::getOpcodeStr(Op).str();
}

/// Writes the alternatives' text for one site.
class Writer {
public:
  Writer(const Site &S, Chain Values, LoadTest IsLoad)
      : S(S), IsLoad(IsLoad), Root(*S.get<BinaryOperator>()),
        P(placeOf(&Root, S.Context)), C(std::move(Values)),
        D(destinationOf(S, P.Statement, C)),
        Indent(indentation(P.Statement->getBeginLoc(), S.Context)),
        Inner(Indent + indentUnit(*P.Statement, S.Context)) {}

  std::vector<Alternative> all() {
    std::vector<Alternative> Out;
    Out.push_back(alternative("comma", joined(",\n" + Indent + "    ")));
    Out.push_back(alternative(
        "fence", joined(";\n" + Indent + "mem_fence(CLK_GLOBAL_MEM_FENCE);\n" +
                        Indent)));
    append_range(Out, tails());
    return Out;
  }

  std::vector<Alternative> tails() {
    std::vector<Alternative> Out;
    for (size_t K = 2; K <= C.Steps.size(); ++K)
      if (std::optional<std::string> Rolled = rolled(K))
        Out.push_back(alternative("roll-last-" + std::to_string(K), *Rolled));
    return Out;
  }

private:
  const Site &S;
  LoadTest IsLoad;
  const BinaryOperator &Root;
  Place P;
  Chain C;
  Destination D;
  std::string Indent,
      Inner; ///< of the statement, and of what is in a loop there

  std::string step(const ChainStep &St) const {
    return D.Name + " " + opText(St.Op) + "= " + spelled(St.Term, S.Context);
  }

  /// The steps after the first value, \p Separator between them. An
  /// assignment's first value takes part in the separation; a declaration's
  /// can not, since a comma there would declare.
  std::string joined(StringRef Separator) const {
    std::string Out = D.Kind == Destination::Assignment ? Separator.str()
                      : Separator.starts_with(",")      ? ";\n" + Indent
                                                        : Separator.str();
    for (const ChainStep &St : C.Steps)
      Out += (&St == &C.Steps.front() ? "" : Separator.str()) + step(St);
    return Out;
  }

  /// All but the last \p K terms as statements, those in a rolled loop. None
  /// where they differ in more than one scalar operand.
  std::optional<std::string> rolled(size_t K) const {
    ArrayRef<ChainStep> Tail = ArrayRef(C.Steps).take_back(K);
    std::vector<const Expr *> Terms;
    for (const ChainStep &St : Tail)
      Terms.push_back(St.Term);
    std::string Counter = freshLocal("term", S, Scope::Closed);
    std::optional<std::string> Body = unified(Terms, Counter, S.Context);
    if (!Body ||
        !all_of(Terms, [&](const Expr *E) { return containsLoad(E, IsLoad); }))
      return std::nullopt;
    std::string Out;
    for (const ChainStep &St : ArrayRef(C.Steps).drop_back(K))
      Out += ";\n" + Indent + step(St);
    Out += ";\n" + Indent + "__attribute__((opencl_unroll_hint(1)))\n" +
           Indent + "for (int " + Counter + " = 0; " + Counter + " < " +
           std::to_string(K) + "; ++" + Counter + ")";
    bool OneOp = all_of(
        Tail, [&](const ChainStep &St) { return St.Op == Tail.front().Op; });
    if (OneOp)
      return Out + "\n" + Inner + D.Name + " " + opText(Tail.front().Op) +
             "= " + *Body;
    // A product in a statement of its own would no longer be contracted.
    if (Root.getType()->hasFloatingRepresentation() &&
        any_of(Terms, [&](const Expr *E) { return isFloatProduct(E); }))
      return std::nullopt;
    return mixed(Tail, Counter, *Body, std::move(Out));
  }

  /// A rolled loop whose terms are combined by two operators.
  std::optional<std::string> mixed(ArrayRef<ChainStep> Tail,
                                   const std::string &Counter,
                                   const std::string &Body,
                                   std::string Head) const {
    BinaryOperatorKind First = Tail.front().Op, Second = First;
    std::string FirstWhere;
    for (size_t I = 0; I < Tail.size(); ++I) {
      if (Tail[I].Op == First)
        FirstWhere += (I ? " || " : "") + Counter + " == " + std::to_string(I);
      else if (Second == First || Second == Tail[I].Op)
        Second = Tail[I].Op;
      else
        return std::nullopt; // Three operators: the selects would cost more.
    }
    std::string Value = freshLocal("loaded", S, Scope::Closed);
    Head += " {\n" + Inner + spelledType(Root.getType(), S.Context) + " " +
            Value + " = " + Body + ";\n" + Inner + D.Name + " = " + FirstWhere +
            " ? " + D.Name + " " + opText(First) + " " + Value + " : " +
            D.Name + " " + opText(Second) + " " + Value + ";\n" + Indent + "}";
    return Head;
  }

  /// What an edit replaces; its comments must be kept.
  SourceRange replacedRange() const {
    switch (D.Kind) {
    case Destination::Assignment:
      return wholeStatement(P.Statement, S.Context);
    case Destination::Declaration:
      return {D.Variable->getInit()->getBeginLoc(), P.Statement->getEndLoc()};
    case Destination::Temporary:
      break;
    }
    return Root.getSourceRange();
  }

  Alternative alternative(std::string Label, std::string Steps) const {
    Alternative A;
    A.Label = std::move(Label);
    std::vector<SourceRange> Kept{C.First->getSourceRange()};
    for (const ChainStep &St : C.Steps)
      Kept.push_back(St.Term->getSourceRange());
    std::string Comments = commentsIn(replacedRange(), Kept, Indent, S.Context);
    const auto *Operation = dyn_cast<BinaryOperator>(C.First->IgnoreParens());
    bool Comma = Operation && Operation->getOpcode() == BO_Comma;
    std::string First =
        spelled(Comma ? C.First : C.First->IgnoreParens(), S.Context);
    // A loop with braces needs no semicolon after it.
    std::string End = StringRef(Steps).ends_with("}") ? "" : ";";
    switch (D.Kind) {
    case Destination::Assignment: {
      std::string New = Comments + D.Name + " = " + First + Steps + End;
      if (!P.InBlock && (StringRef(Steps).contains(';') || !Comments.empty()))
        New = "{ " + New + " }";
      A.Changes.push_back(replacement(D.Assign->getSourceRange(),
                                      std::move(New), S.Context,
                                      /*Semicolon=*/true));
      break;
    }
    case Destination::Declaration:
      if (!Comments.empty())
        A.Changes.push_back(
            insertion(P.Statement->getBeginLoc(), Comments, S.Context));
      A.Changes.push_back(
          replacement(replacedRange(), First + Steps + End, S.Context));
      break;
    case Destination::Temporary: {
      std::string New = Comments + spelledType(Root.getType(), S.Context) +
                        " " + D.Name + " = " + First + Steps + End + "\n" +
                        Indent;
      A.Changes.push_back(insertion(P.Statement->getBeginLoc(),
                                    (P.InBlock ? "" : "{ ") + New, S.Context));
      A.Changes.push_back(
          replacement(Root.getSourceRange(), D.Name, S.Context));
      if (!P.InBlock) {
        Edit Close = replacement(P.Statement->getSourceRange(), "", S.Context,
                                 /*Semicolon=*/true);
        A.Changes.push_back(Edit{Close.end(), 0, " }"});
      }
      break;
    }
    }
    return A;
  }
};

} // namespace

std::vector<Alternative> serialised(const Site &S, LoadTest IsLoad) {
  Chain C = chainOf(S.get<BinaryOperator>(), IsLoad, S.Context);
  return Writer(S, std::move(C), IsLoad).all();
}

std::vector<Alternative> rolledTails(const Site &S, Chain C) {
  return Writer(S, std::move(C), isSharedLoad).tails();
}

} // namespace clrewrite::rewrite
