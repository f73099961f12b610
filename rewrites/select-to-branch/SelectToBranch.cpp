// select-to-branch: a choice between values computes only the one that it
// takes.
//
// select(a, b, c) evaluates both values, and so does `c ? v : 0` where a
// variable holds v already: `float v = in[i]; sum += select(0.0f, v, c);`. Then
// loads of many such choices are moved to the front, and wait in registers. As
// `c ? in[i] : 0.0f` the load stands in a branch: compilers keep it there,
// since they can't know that the address may be read otherwise, and move no
// load over it. The other arm has no effects, so nothing else changes.
#include "rewrite/Rewrite.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/LoadChain.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::select_to_branch {
namespace {

/// `Condition ? Yes : No`.
struct Choice {
  const Expr *Condition = nullptr, *Yes = nullptr, *No = nullptr;
  bool Call = false;
};

std::optional<Choice> choiceOf(const Expr *E) {
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return Choice{C->getCond(), C->getTrueExpr(), C->getFalseExpr(), false};
  const auto *Call = dyn_cast<CallExpr>(E);
  if (!Call || calleeName(Call) != "select" || !isBuiltinCall(Call) ||
      Call->getNumArgs() != 3)
    return std::nullopt;
  return Choice{Call->getArg(2), Call->getArg(1), Call->getArg(0), true};
}

/// `p[c ? i : j]`: made to be loaded before a choice, as speculate-load does.
bool loadsFromEither(const Expr *E) {
  const auto *A = dyn_cast<ArraySubscriptExpr>(E->IgnoreParenImpCasts());
  return A && isa<ConditionalOperator>(A->getIdx()->IgnoreParenImpCasts());
}

const VarDecl *variableOf(const DeclRefExpr *D) {
  return cast<VarDecl>(D->getDecl());
}

/// \p D names a variable that memory initialised and that has no other use.
bool isLoaded(const DeclRefExpr *D) {
  const auto *V = dyn_cast<VarDecl>(D->getDecl());
  if (!V || !V->hasLocalStorage() || isa<ParmVarDecl>(V) || !V->getInit() ||
      !(V->getType()->isArithmeticType() || V->getType()->isVectorType()) ||
      !readsMemory(V->getInit()) || loadsFromEither(V->getInit()))
    return false;
  const auto *F = dyn_cast<FunctionDecl>(V->getDeclContext());
  return F && namesOf(V, F->getBody()).size() == 1;
}

/// The names, in one arm or the other, of what was loaded for it alone.
std::vector<const DeclRefExpr *> loadedIn(const Choice &C) {
  std::vector<const DeclRefExpr *> Out = allIn<DeclRefExpr>(C.Yes, isLoaded);
  append_range(Out, allIn<DeclRefExpr>(C.No, isLoaded));
  return Out;
}

/// Worth a branch: an arm of select() that loads, or a value loaded before for
/// one arm alone.
bool computesTooMuch(const Expr &Node, ASTContext &) {
  std::optional<Choice> C = choiceOf(&Node);
  return C && ((C->Call && (readsMemory(C->Yes) || readsMemory(C->No))) ||
               !loadedIn(*C).empty());
}

const Expr *siteOf(const Site &S) { return S.get<Expr>(); }

Choice choiceOf(const Site &S) { return *choiceOf(siteOf(S)); }

/// The names that the rewrite replaces.
std::vector<const DeclRefExpr *> sunk(const Site &S) {
  return loadedIn(choiceOf(S));
}

bool isScalar(const Site &S) {
  Choice C = choiceOf(S);
  return (C.Condition->getType()->isScalarType() &&
          (!C.Call || siteOf(S)->getType()->isScalarType())) ||
         S.brokenBy(C.Condition);
}

/// The statement of a block that \p E is a part of, reached through expressions
/// and the declaration of one variable alone.
const Stmt *statementOf(const Expr *E, ASTContext &Context) {
  DynTypedNode Node = DynTypedNode::create(*E);
  const Stmt *Last = E;
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.size() != 1)
      return nullptr;
    Node = Parents[0];
    if (Node.get<CompoundStmt>())
      return Last;
    if (const auto *D = Node.get<DeclStmt>(); D && !D->isSingleDecl())
      return nullptr;
    if (const Stmt *S = Node.get<Stmt>()) {
      if (!isa<Expr, DeclStmt, ReturnStmt>(S))
        return nullptr;
      Last = S;
    } else if (!Node.get<VarDecl>()) {
      return nullptr;
    }
  }
}

const CompoundStmt *blockOf(const Stmt *S, ASTContext &Context) {
  DynTypedNodeList Parents = Context.getParents(*S);
  return Parents.size() == 1 ? Parents[0].get<CompoundStmt>() : nullptr;
}

/// The declaration of \p V, if it declares nothing else.
const DeclStmt *ownDeclaration(const VarDecl *V, ASTContext &Context) {
  const DeclStmt *D = declarationOf(V, Context);
  return D && D->isSingleDecl() ? D : nullptr;
}

/// All that \p S does is to compute, and to assign as its last act.
bool actsLast(const Stmt *S) {
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return all_of(D->decls(), [](const Decl *Each) {
      const auto *V = dyn_cast<VarDecl>(Each);
      return V && (!V->getInit() || isPure(V->getInit()));
    });
  if (const auto *R = dyn_cast<ReturnStmt>(S))
    return !R->getRetValue() || isPure(R->getRetValue());
  const auto *E = dyn_cast<Expr>(S);
  if (const auto *B =
          dyn_cast_or_null<BinaryOperator>(E ? E->IgnoreParens() : nullptr);
      B && B->isAssignmentOp())
    return isPure(B->getLHS()) && isPure(B->getRHS());
  return E && isPure(E);
}

/// \p S declares a variable that hides one which \p E names.
bool declaresNameIn(const Stmt *S, const Expr *E) {
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && any_of(D->decls(), [&](const Decl *Each) {
           const auto *New = dyn_cast<VarDecl>(Each);
           return !New || mentionsAny(E, [&](const VarDecl *V) {
             return V->getDeclName() == New->getDeclName();
           });
         });
}

bool isPureChoice(const Site &S) {
  VariableSet Addressed = addressTaken(S.Function);
  if (!isPure(siteOf(S)))
    return S.brokenBy(siteOf(S));
  return S.each(sunk(S), [&](const Expr *E) {
    const auto *D = cast<DeclRefExpr>(E);
    return isPure(variableOf(D)->getInit()) &&
           !D->getType().isVolatileQualified() &&
           !Addressed.contains(variableOf(D)->getCanonicalDecl());
  });
}

bool isQuietBetween(const Site &S) {
  std::vector<const DeclRefExpr *> Names = sunk(S);
  if (Names.empty())
    return true;
  const Stmt *Use = statementOf(siteOf(S), S.Context);
  const CompoundStmt *Block = Use ? blockOf(Use, S.Context) : nullptr;
  if (!Block || !actsLast(Use))
    return false;
  return all_of(Names, [&](const DeclRefExpr *D) {
    const DeclStmt *From = ownDeclaration(variableOf(D), S.Context);
    if (!From || From->getBeginLoc().isMacroID())
      return true; // notFromMacro says why not.
    if (blockOf(From, S.Context) != Block)
      return false;
    const auto *First = find(Block->body(), From),
               *Last = find(Block->body(), Use);
    const Expr *Init = variableOf(D)->getInit();
    return First < Last && !declaresNameIn(Use, Init) &&
           std::all_of(
               First, Last,
               [&](const Stmt *Each) {
                 return isa<DeclStmt>(Each) && actsLast(Each) &&
                        !declaresNameIn(Each, Init);
               });
  });
}

/// No product comes to stand in a sum, nor in an arm of a choice that stands in
/// one: a compiler may see that the arm is always taken.
bool contractsNothing(const Site &S) {
  Choice C = choiceOf(S);
  if (C.Condition->isEvaluatable(S.Context))
    return S.brokenBy(C.Condition);
  const bool InSum = feedsASum(siteOf(S), S.Context);
  for (const Expr *Arm : {C.Yes, C.No})
    if (InSum && isFloatProduct(Arm))
      return S.brokenBy(Arm);
  return S.each(sunk(S), [&](const Expr *E) {
    const auto *D = cast<DeclRefExpr>(E);
    const bool IsArm =
        C.Yes->IgnoreParenImpCasts() == D || C.No->IgnoreParenImpCasts() == D;
    return (IsArm && !InSum) || !isFloatProduct(variableOf(D)->getInit());
  });
}

/// The name of a removed variable stands nowhere else.
bool everyNameIsSeen(const Site &S) {
  return all_of(sunk(S), [&](const DeclRefExpr *D) {
    return S.unlessBroken(unseenName(variableOf(D)));
  });
}

bool notFromMacro(const Site &S) {
  Choice C = choiceOf(S);
  auto isText = [&](const Expr *E) {
    return isCopyable(E->getSourceRange(), S.Context);
  };
  return isPlainText(siteOf(S)->getSourceRange(), S.Context) &&
         isText(C.Condition) && isText(C.Yes) && isText(C.No) &&
         all_of(sunk(S), [&](const DeclRefExpr *D) {
           const DeclStmt *From = ownDeclaration(variableOf(D), S.Context);
           return isPlainText(D->getSourceRange(), S.Context) && From &&
                  isPlainText(From->getSourceRange(), S.Context) &&
                  isText(variableOf(D)->getInit()) &&
                  !isa<InitListExpr>(variableOf(D)->getInit());
         });
}

/// Writes the choice as ?: with what it needs in its arms.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), C(choiceOf(S)), Names(sunk(S)), SM(S.Context.getSourceManager()) {
  }

  Alternative all() const {
    Alternative A;
    A.Label = "ternary";
    std::string Text =
        operand(C.Condition) + " ? " + arm(C.Yes) + " : " + arm(C.No);
    // ?: would make an int of it.
    QualType T = siteOf(S)->getType();
    bool Narrow =
        C.Call && T->isIntegerType() &&
        S.Context.getTypeSize(T) < S.Context.getTypeSize(S.Context.IntTy);
    if (Narrow)
      Text = "(" + spelledType(T, S.Context) + ")(" + Text + ")";
    else if (!standsAlone())
      Text = "(" + Text + ")";
    A.Changes.push_back(
        replacement(siteOf(S)->getSourceRange(), Text, S.Context));
    for (const DeclRefExpr *D : Names)
      A.Changes.push_back(
          removal(*ownDeclaration(variableOf(D), S.Context), S.Context));
    return A;
  }

private:
  const Site &S;
  Choice C;
  std::vector<const DeclRefExpr *> Names;
  const SourceManager &SM;

  bool sameType(QualType A, QualType B) const {
    return S.Context.hasSameUnqualifiedType(A, B);
  }

  /// In parentheses where ?: binds as loosely.
  std::string operand(const Expr *E) const {
    std::string Text = substituted(E);
    return bindsAsChoice(E) ? "(" + Text + ")" : Text;
  }

  std::string arm(const Expr *E) const {
    // select() converts both to one type.
    QualType To = siteOf(S)->getType(), From = E->IgnoreImpCasts()->getType();
    if (!C.Call || sameType(To, From))
      return operand(E);
    return "(" + spelledType(To, S.Context) + ")(" + substituted(E) + ")";
  }

  /// The text of \p E, in which the loads stand for their variables.
  std::string substituted(const Expr *E) const {
    std::string Text = spelled(E, S.Context);
    unsigned Base = replacement(E->getSourceRange(), "", S.Context).Offset;
    for (const DeclRefExpr *D : reverse(Names)) {
      unsigned At = SM.getFileOffset(D->getLocation());
      size_t Length = D->getDecl()->getName().size();
      if (At < Base || At + Length > Base + Text.size())
        continue;
      bool Whole = E->IgnoreParenImpCasts() == D;
      Text.replace(At - Base, Length, initialiser(D, Whole));
    }
    return Text;
  }

  /// What initialises the variable that \p D names, in the place of the name.
  std::string initialiser(const DeclRefExpr *D, bool Whole) const {
    const VarDecl *V = variableOf(D);
    const Expr *Init = V->getInit();
    // A type that depends on the device is another one there.
    QualType From = Init->IgnoreImpCasts()->getType();
    // A field of fewer bits than its type has is an int in arithmetic.
    if (!sameType(V->getType(), From) || Init->refersToBitField() ||
        hasDevicesWidth(From) != hasDevicesWidth(V->getType())) {
      std::string Text = "(" + spelledType(V->getType(), S.Context) + ")" +
                         spelledOperand(Init, S.Context);
      // A cast binds less than `.x`.
      return isa_and_nonnull<ExtVectorElementExpr, ArraySubscriptExpr>(
                 parentExpr(D, S.Context))
                 ? "(" + Text + ")"
                 : Text;
    }
    return Whole && !isa<AbstractConditionalOperator>(Init->IgnoreImplicit())
               ? spelled(Init, S.Context)
               : spelledOperand(Init, S.Context);
  }

  /// It is all that a variable or a target gets.
  bool standsAlone() const {
    DynTypedNodeList Parents = S.Context.getParents(*siteOf(S));
    const auto *B = Parents[0].get<BinaryOperator>();
    return Parents[0].get<VarDecl>() || Parents[0].get<ReturnStmt>() ||
           Parents[0].get<ParenExpr>() || (B && B->isAssignmentOp());
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S).all()};
}

} // namespace

const Rewrite &rewriteSelectToBranch() {
  static const Rewrite R{
      "select-to-branch",
      "load only the value that a choice takes",
      Safety::Exact,
      sitesOf<Expr, computesTooMuch>,
      {{"the choice is made lane by lane", isScalar},
       {"a part of the choice, or of what it loads, has side effects or is "
        "volatile, or its address is taken",
        isPureChoice, "compute it in a statement before"},
       {"between the load and the choice stands more than declarations without "
        "side effects, or they are not in one block",
        isQuietBetween, "move the load right before the choice"},
       {"a float product would come to stand in a sum, with which the compiler "
        "may contract it, or the condition is a constant",
        contractsNothing},
       {"the name of what is loaded, a macro that may stand for it, or an "
        "#include stands where this build does not see the variable",
        everyNameIsSeen,
        "give the variable a name of its own, and use it outside of #if"},
       {"the choice, or what it loads, comes from a macro or shares its "
        "declaration",
        notFromMacro, "write it out, and declare each variable alone"}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::select_to_branch
