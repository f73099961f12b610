// serialise-vload: an expression that combines several vloadN results becomes
// a chain that loads and combines one at a time.
//
// `sum = vload8(x, p) + vload8(x, q) - vload8(x, r)` lets a compiler issue all
// loads at once and hold every result until it is used. The alternatives keep
// the same operations in the same order but give the scheduler less freedom:
//   comma          sum = vload8(x, p), sum += vload8(x, q), sum -= ...
//   fence          the same as statements, with mem_fence between
//   roll-last-K    the last K terms in a loop that is kept rolled
// LLVM turns the first into the same code as the original; other compilers may
// not. The rolled loop is what lowers registers today, at the price of the
// loop's own instructions. Which one pays is for the measurement to say.
#include "rewrite/Conditions.h"
#include "rewrite/Rewrite.h"
#include "rewrite/Text.h"
#include "rewrite/Unify.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;
using namespace clang::ast_matchers;

namespace clrewrite {
namespace {

/// The expression as a chain: First, then each op term in order.
struct Step {
  BinaryOperatorKind Op;
  const Expr *Term;
};
struct Chain {
  const Expr *First = nullptr;
  std::vector<Step> Steps;
};

bool containsVload(const Stmt *S) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && isVload(E))
    return true;
  return any_of(S->children(), containsVload);
}

bool combines(const BinaryOperator *B) {
  switch (B->getOpcode()) {
  case BO_Add:
  case BO_Sub:
  case BO_Mul:
  case BO_Div:
  case BO_And:
  case BO_Or:
  case BO_Xor:
    return true;
  default:
    return false;
  }
}

/// What a compiler sees of \p E when it looks for a product to contract:
/// without parentheses, casts that keep the type, and signs.
const Expr *unsignedCore(const Expr *E, const ASTContext &Context) {
  while (true) {
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(Inner);
        U && (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus))
      Inner = U->getSubExpr();
    else if (const auto *C = dyn_cast<ExplicitCastExpr>(Inner);
             C && Context.hasSameUnqualifiedType(C->getType(),
                                                 C->getSubExpr()->getType()))
      Inner = C->getSubExpr();
    if (Inner == E)
      return E;
    E = Inner;
  }
}

bool isProduct(const Expr *E, const ASTContext &Context) {
  const auto *B = dyn_cast<BinaryOperator>(unsignedCore(E, Context));
  return B && B->getOpcode() == BO_Mul;
}

/// Walks down the left operands while the type stays the same. A product at
/// the start of a float sum stays with its neighbour, because compilers
/// contract `a * b + c * d` from the left: taken apart, the other product
/// would be the contracted one, and the last bit could differ.
Chain chainOf(const BinaryOperator *Root, const ASTContext &Context) {
  Chain C;
  const Expr *At = Root;
  while (true) {
    const auto *B = dyn_cast<BinaryOperator>(At->IgnoreParens());
    if (!B || !combines(B) || !containsVload(B->getLHS()) ||
        !Context.hasSameUnqualifiedType(B->getType(), Root->getType()) ||
        !Context.hasSameUnqualifiedType(B->getLHS()->getType(),
                                        Root->getType()))
      break;
    if (Root->getType()->hasFloatingRepresentation() && B->isAdditiveOp() &&
        isProduct(B->getLHS(), Context))
      break;
    C.Steps.push_back({B->getOpcode(), B->getRHS()});
    At = B->getLHS();
  }
  std::reverse(C.Steps.begin(), C.Steps.end());
  C.First = At;
  return C;
}

/// The statement that evaluates the expression, and the way down to it.
struct Place {
  const Stmt *Statement = nullptr; ///< null: not a plain statement
  bool InBlock = false;            ///< a child of { }, or else of if/for/...
  bool Conditional = false;        ///< below ?:, && or ||
};

Place placeOf(const Expr *E, ASTContext &Context) {
  Place P;
  DynTypedNode Node = DynTypedNode::create(*E);
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return P;
    DynTypedNode Up = Parents[0];
    const Stmt *Here = Node.get<Stmt>();
    if (Up.get<AbstractConditionalOperator>() ||
        Up.get<UnaryExprOrTypeTraitExpr>() || Up.get<StmtExpr>())
      P.Conditional = true;
    if (const auto *B = Up.get<BinaryOperator>(); B && B->isLogicalOp())
      P.Conditional = true;
    if (Up.get<CompoundStmt>()) {
      P.Statement = Here;
      P.InBlock = true;
      return P;
    }
    const auto *If = Up.get<IfStmt>();
    const auto *For = Up.get<ForStmt>();
    const auto *While = Up.get<WhileStmt>();
    const auto *Do = Up.get<DoStmt>();
    if (If || For || While || Do || Up.get<SwitchStmt>() ||
        Up.get<CaseStmt>() || Up.get<LabelStmt>() || Up.get<FunctionDecl>()) {
      if ((If && (Here == If->getThen() || Here == If->getElse())) ||
          (For && Here == For->getBody()) ||
          (While && Here == While->getBody()) || (Do && Here == Do->getBody()))
        P.Statement = Here;
      return P;
    }
    Node = Up;
  }
}

AST_MATCHER(BinaryOperator, combinesSeveralVloads) {
  if (!combines(&Node))
    return false;
  ASTContext &Context = Finder->getASTContext();
  // The outermost operator of a chain stands for all of it.
  DynTypedNode Up = DynTypedNode::create(Node);
  do {
    DynTypedNodeList Parents = Context.getParents(Up);
    if (Parents.empty())
      return false;
    Up = Parents[0];
  } while (Up.get<ParenExpr>() || Up.get<ImplicitCastExpr>());
  if (const auto *B = Up.get<BinaryOperator>(); B && combines(B)) {
    if (!containsVload(B->getLHS()) || !containsVload(B->getRHS()))
      return false; // B's chain holds this one, or B adds nothing to load.
    if (B->getLHS()->IgnoreParenImpCasts() == &Node)
      return false;
  }
  return containsVload(Node.getLHS()) && containsVload(Node.getRHS())
             ? true
             : containsVload(Node.getLHS()) &&
                   count_if(chainOf(&Node, Context).Steps, [](const Step &S) {
                     return containsVload(S.Term);
                   }) >= 1;
}

const BinaryOperator &rootOf(const Site &S) {
  return *S.get<BinaryOperator>("site");
}

bool notFromMacro(const Site &S) {
  Place P = placeOf(&rootOf(S), S.Context);
  auto plain = [&](const Stmt *E) {
    return isPlainText(E->getSourceRange(), S.Context);
  };
  // A term may be a part of a macro's expansion although the ends of the
  // whole are not.
  Chain C = chainOf(&rootOf(S), S.Context);
  return plain(&rootOf(S)) && (!P.Statement || plain(P.Statement)) &&
         text(C.First->getSourceRange(), S.Context) &&
         all_of(C.Steps, [&](const Step &St) {
           return text(St.Term->getSourceRange(), S.Context).has_value();
         });
}

bool alwaysEvaluated(const Site &S) {
  Place P = placeOf(&rootOf(S), S.Context);
  return P.Statement && !P.Conditional;
}

bool termsArePure(const Site &S) { return isPure(&rootOf(S)); }

/// What surrounds the chain in its statement must not act before it, since the
/// chain moves in front: only the root of the statement may have an effect.
bool restIsPure(const Site &S) {
  const Stmt *Statement = placeOf(&rootOf(S), S.Context).Statement;
  if (const auto *D = dyn_cast<DeclStmt>(Statement)) {
    const auto *V = dyn_cast<VarDecl>(*D->decl_begin());
    // A later declarator may use an earlier one.
    return D->isSingleDecl() && V && V->getInit() && isPure(V->getInit());
  }
  const Expr *E = dyn_cast<Expr>(Statement);
  if (const auto *R = dyn_cast<ReturnStmt>(Statement))
    return R->getRetValue() && isPure(R->getRetValue());
  if (!E)
    return false;
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp())
    return isPure(B->getLHS()) && isPure(B->getRHS());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return all_of(Call->arguments(), isPure);
  return false;
}

/// A float product that is an operand of a sum may be contracted with it; on
/// its own it could not be.
bool feedsASum(const Site &S) {
  const BinaryOperator &Root = rootOf(S);
  if (!Root.getType()->hasFloatingRepresentation() ||
      !isProduct(&Root, S.Context))
    return false;
  DynTypedNode Node = DynTypedNode::create(Root);
  while (true) {
    DynTypedNodeList Parents = S.Context.getParents(Node);
    if (Parents.empty())
      return false;
    Node = Parents[0];
    if (const auto *B = Node.get<BinaryOperator>())
      return B->isAdditiveOp() || B->getOpcode() == BO_AddAssign ||
             B->getOpcode() == BO_SubAssign;
    if (!Node.get<ParenExpr>() && !Node.get<CastExpr>() &&
        !Node.get<UnaryOperator>())
      return false;
  }
}

bool mayBeTakenApart(const Site &S) {
  return !chainOf(&rootOf(S), S.Context).Steps.empty() && !feedsASum(S);
}

/// How the chain's value leaves it.
struct Destination {
  enum { Assignment, Declaration, Temporary } Kind = Temporary;
  std::string Name;
  const BinaryOperator *Assign = nullptr;
  const VarDecl *Variable = nullptr;
};

Destination destinationOf(const Site &S, const Stmt *Statement) {
  const BinaryOperator &Root = rootOf(S);
  Destination D;
  if (const auto *B = dyn_cast<BinaryOperator>(Statement);
      B && B->getOpcode() == BO_Assign &&
      B->getRHS()->IgnoreParenImpCasts() == &Root)
    if (const VarDecl *V = privateVariable(B->getLHS(), S.Function);
        V && !mentions(&Root, V) &&
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
        !V->getType().isVolatileQualified() && !mentions(&Root, V) &&
        S.Context.hasSameUnqualifiedType(V->getType(), Root.getType())) {
      D.Kind = Destination::Declaration;
      D.Name = V->getNameAsString();
      D.Variable = V;
      return D;
    }
  D.Name = freshName("combined", S.Context);
  return D;
}

std::string opText(BinaryOperatorKind Op) {
  return BinaryOperator::getOpcodeStr(Op).str();
}

/// Writes the alternatives' text for one site.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Root(rootOf(S)), P(placeOf(&Root, S.Context)),
        D(destinationOf(S, P.Statement)), C(chainOf(&Root, S.Context)),
        Indent(indentation(P.Statement->getBeginLoc(), S.Context)) {}

  std::vector<Alternative> all() {
    std::vector<Alternative> Out;
    Out.push_back(alternative("comma", joined(",\n" + Indent + "    ")));
    Out.push_back(alternative(
        "fence", joined(";\n" + Indent + "mem_fence(CLK_GLOBAL_MEM_FENCE);\n" +
                        Indent)));
    for (size_t K = 2; K <= C.Steps.size(); ++K)
      if (std::optional<std::string> Rolled = rolled(K))
        Out.push_back(alternative("roll-last-" + std::to_string(K), *Rolled));
    return Out;
  }

private:
  const Site &S;
  const BinaryOperator &Root;
  Place P;
  Destination D;
  Chain C;
  std::string Indent;

  std::string step(const Step &St) const {
    return D.Name + " " + opText(St.Op) + "= " + spelled(St.Term, S.Context);
  }

  /// The steps after the first value, \p Separator between them. An
  /// assignment's first value takes part in the separation; a declaration's
  /// can not, since a comma there would declare.
  std::string joined(StringRef Separator) const {
    std::string Out = D.Kind == Destination::Assignment ? Separator.str()
                      : Separator.starts_with(",")      ? ";\n" + Indent
                                                        : Separator.str();
    for (const Step &St : C.Steps)
      Out += (&St == &C.Steps.front() ? "" : Separator.str()) + step(St);
    return Out;
  }

  /// All but the last \p K terms as statements, those in a rolled loop. None
  /// where they differ in more than one scalar operand.
  std::optional<std::string> rolled(size_t K) const {
    ArrayRef<Step> Tail = ArrayRef(C.Steps).take_back(K);
    std::vector<const Expr *> Terms;
    for (const Step &St : Tail)
      Terms.push_back(St.Term);
    std::string Counter = freshName("term", S.Context);
    std::optional<std::string> Body = unified(Terms, Counter, S.Context);
    if (!Body || !all_of(Terms, containsVload))
      return std::nullopt;
    std::string Out;
    for (const Step &St : ArrayRef(C.Steps).drop_back(K))
      Out += ";\n" + Indent + step(St);
    Out += ";\n" + Indent + "__attribute__((opencl_unroll_hint(1)))\n" +
           Indent + "for (int " + Counter + " = 0; " + Counter + " < " +
           std::to_string(K) + "; ++" + Counter + ")";
    bool OneOp =
        all_of(Tail, [&](const Step &St) { return St.Op == Tail.front().Op; });
    if (OneOp)
      return Out + "\n" + Indent + "  " + D.Name + " " +
             opText(Tail.front().Op) + "= " + *Body;
    // A product in a statement of its own would no longer be contracted.
    if (Root.getType()->hasFloatingRepresentation() &&
        any_of(Terms, [&](const Expr *E) { return isProduct(E, S.Context); }))
      return std::nullopt;
    return mixed(Tail, Counter, *Body, std::move(Out));
  }

  /// A rolled loop whose terms are combined by two operators.
  std::optional<std::string> mixed(ArrayRef<Step> Tail,
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
    std::string Value = freshName("loaded", S.Context);
    Head += " {\n" + Indent + "  " + spelledType(Root.getType(), S.Context) +
            " " + Value + " = " + Body + ";\n" + Indent + "  " + D.Name +
            " = " + FirstWhere + " ? " + D.Name + " " + opText(First) + " " +
            Value + " : " + D.Name + " " + opText(Second) + " " + Value +
            ";\n" + Indent + "}";
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
    for (const Step &St : C.Steps)
      Kept.push_back(St.Term->getSourceRange());
    std::string Comments = commentsIn(replacedRange(), Kept, Indent, S.Context);
    const auto *Inner = dyn_cast<BinaryOperator>(C.First->IgnoreParens());
    bool Comma = Inner && Inner->getOpcode() == BO_Comma;
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

std::vector<Alternative> alternatives(const Site &S) { return Writer(S).all(); }

} // namespace

const Rewrite &rewriteSerialiseVload() {
  static const Rewrite R{
      "serialise-vload",
      "load and combine vloadN results one at a time",
      Safety::Exact,
      binaryOperator(combinesSeveralVloads()).bind("site"),
      {{"the expression, or a part of its statement, comes from a macro or "
        "holds a preprocessor directive",
        notFromMacro},
       {"the loads are evaluated on some paths only (?:, &&, ||), or not in a "
        "statement of their own",
        alwaysEvaluated},
       {"an operand has side effects", termsArePure},
       {"the rest of the statement has side effects or declares several "
        "variables",
        restIsPure},
       {"a float product and the sum that it feeds are left whole, because the "
        "compiler may contract them",
        mayBeTakenApart}},
      alternatives};
  return R;
}

} // namespace clrewrite
