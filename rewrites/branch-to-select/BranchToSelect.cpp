// branch-to-select: an if whose arms only assign becomes expressions.
//
// `if (a < b) x = a; else x = b;` is one value that depends on a condition.
// Written as `x = a < b ? a : b` (or as min, or select) it leaves no branch for
// a compiler that would keep one; LLVM mostly finds the same code either way.
// The alternatives, preferred first:
//   min-max   min, max or clamp, where integers make that exact
//   ternary   x = c ? a : x, for each variable
//   select    x = select(x, a, c), where both values may always be evaluated
// A store to memory that was made on some paths only becomes a store of what is
// there already on the others: that is the same for one work-item, but not for
// two that share the element, so it stands under an assumption.
#include "SelectText.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::branch_to_select {
namespace {

bool isOutermostThatAssigns(const IfStmt &Node, ASTContext &Context) {
  // What opaque-guard writes keeps loads where they are.
  if (!onlyAssigns(&Node) || !emptinessAsked(Node).empty())
    return false;
  DynTypedNode Up = DynTypedNode::create(Node);
  do {
    DynTypedNodeList Parents = Context.getParents(Up);
    if (Parents.empty())
      return true;
    Up = Parents[0];
  } while (Up.get<CompoundStmt>());
  const auto *Outer = Up.get<IfStmt>();
  return !Outer || !onlyAssigns(Outer);
}

const IfStmt *ifOf(const Site &S) { return S.get<IfStmt>(); }

/// All expressions of the branch: conditions, targets and values.
std::vector<const Expr *> partsOf(const Branch &B) {
  std::vector<const Expr *> Out{B.Condition};
  for (const Branch *Inner : branchesOf(B))
    Out.push_back(Inner->Condition);
  for (const Assignment *A : assignmentsOf(B)) {
    Out.push_back(A->Target);
    if (A->Value)
      Out.push_back(A->Value);
  }
  return Out;
}

/// The expressions that a select evaluates on every path: all of the branch but
/// its outermost condition.
std::vector<const Expr *> conditionalParts(const Branch &B) {
  std::vector<const Expr *> Out = partsOf(B);
  Out.erase(Out.begin());
  return Out;
}

bool isFileToken(SourceLocation Loc) { return !Loc.isMacroID(); }

bool hasPlainStatements(const Stmt *St) {
  if (!St)
    return true;
  if (const auto *Block = dyn_cast<CompoundStmt>(St))
    return isFileToken(Block->getLBracLoc()) &&
           isFileToken(Block->getRBracLoc()) &&
           all_of(Block->body(), hasPlainStatements);
  if (const auto *If = dyn_cast<IfStmt>(St))
    return isFileToken(If->getIfLoc()) && isFileToken(If->getRParenLoc()) &&
           (!If->getElse() || isFileToken(If->getElseLoc())) &&
           hasPlainStatements(If->getThen()) &&
           hasPlainStatements(If->getElse());
  if (const auto *B = dyn_cast<BinaryOperator>(St))
    return isFileToken(B->getOperatorLoc());
  if (const auto *U = dyn_cast<UnaryOperator>(St))
    return isFileToken(U->getOperatorLoc());
  return true;
}

bool notFromMacro(const Site &S) {
  SourceRange Whole = wholeStatement(ifOf(S), S.Context);
  SourceRange Directive = directiveIn(Whole, S.Context);
  if (Directive.isValid())
    return S.brokenBy(Directive);
  if (Whole.isInvalid() || !hasPlainStatements(ifOf(S)))
    return S.brokenBy(ifOf(S)->getSourceRange());
  return S.each(partsOf(branchOf(ifOf(S))), [&](const Expr *E) {
    return text(E->getSourceRange(), S.Context).has_value();
  });
}

bool partsArePure(const Site &S) {
  return S.each(partsOf(branchOf(ifOf(S))), isPure);
}

/// An element that is reached by a subscript or a pointer.
bool isElement(const Expr *E) {
  return !memoryReads(E, /*Always=*/true).empty();
}

std::vector<const Expr *> targetsOf(const Site &S) {
  std::vector<const Expr *> Out;
  Branch B = branchOf(ifOf(S));
  for (const Assignment *A : assignmentsOf(B))
    Out.push_back(A->Target);
  return Out;
}

bool targetsAreInNoUnion(const Site &S) {
  return S.none(targetsOf(S),
                [](const Expr *E) { return storageOf(E).InUnion; });
}

bool targetsAreOwn(const Site &S) {
  return S.none(targetsOf(S), [](const Expr *E) {
    Storage To = storageOf(E);
    return To.Variable && !To.isPrivate() && !isElement(E);
  });
}

bool typesFit(const Site &S) {
  Branch B = branchOf(ifOf(S));
  auto fits = [&](const Assignment *A) {
    QualType T = A->Target->getType().getUnqualifiedType();
    QualType From = A->Value ? typeBeforeConversion(A->Value) : T;
    if (T->isVectorType())
      return !From->isBooleanType();
    if (T->isPointerType())
      return A->Op != BO_Assign || S.Context.hasSameType(From, T);
    const auto *Enum = T->getAs<EnumType>();
    bool Unnamed = Enum && !Enum->getDecl()->getIdentifier();
    return T->isArithmeticType() && From->isArithmeticType() && !Unnamed;
  };
  return all_of(assignmentsOf(B), [&](const Assignment *A) {
    return fits(A) || S.brokenBy(A->Target);
  });
}

MergedOrder orderOf(const Site &S, const Branch &B) {
  return mergedOrder(B, S.Function, S.Context);
}

bool targetsAreKnown(const Site &S) {
  return all_of(orderOf(S, branchOf(ifOf(S))).Targets, [&](const Target &T) {
    return T.Variable || isElement(T.LValue) || S.brokenBy(T.LValue);
  });
}

bool assignsOnce(const Site &S) {
  return S.unlessBroken(orderOf(S, branchOf(ifOf(S))).Twice);
}

bool ordersAgree(const Site &S) {
  MergedOrder Order = orderOf(S, branchOf(ifOf(S)));
  return S.unlessBroken(Order.TooLate) && S.unlessBroken(Order.Conflict);
}

/// The condition reads the very element that \p E names, on every path.
bool conditionReads(const Branch &B, const Expr *E, const ASTContext &Context) {
  return any_of(
      memoryReads(B.Condition, /*Always=*/true),
      [&](const Expr *Read) { return sameExpression(Read, E, Context); });
}

/// Which element \p E is depends on nothing that the branch assigns, so that it
/// is the same one wherever it stands. \p Own, where not null, is the target of
/// the statement that it stands in, which is assigned last of all there.
bool isSteady(const Expr *E, const Expr *Own, const MergedOrder &Order,
              const ASTContext &Context) {
  const auto *Call = dyn_cast<CallExpr>(E);
  std::vector<const Expr *> Inputs =
      Call && isBuiltinCall(Call) ? operandsOf(Call) : storageOf(E).Inputs;
  return none_of(Order.Targets, [&](const Target &T) {
    return !(Own && sameExpression(T.LValue, Own, Context)) &&
           any_of(Inputs, [&](const Expr *I) { return Order.reads(I, T); });
  });
}

bool readsAreProven(const Site &S) {
  Branch B = branchOf(ifOf(S));
  MergedOrder Order = orderOf(S, B);
  // What every path stores may be read on every path, too.
  auto alwaysStored = [&](const Expr *Read) {
    return any_of(Order.Targets, [&](const Target &T) {
      return !T.Variable && sameExpression(T.LValue, Read, S.Context) &&
             alwaysAssigns(B.Then, T, S.Context) &&
             alwaysAssigns(B.Else, T, S.Context);
    });
  };
  auto areProven = [&](const Expr *E, const Expr *Own) {
    return S.each(memoryReads(E, /*Always=*/false), [&](const Expr *Read) {
      // storesAreProven asks about what is stored.
      bool IsStored = E == Own && Read == E->IgnoreParens();
      bool Proven = conditionReads(B, Read, S.Context) || alwaysStored(Read);
      return IsStored || (Proven && isSteady(Read, Own, Order, S.Context));
    });
  };
  return all_of(branchesOf(B),
                [&](const Branch *Inner) {
                  return areProven(Inner->Condition, nullptr);
                }) &&
         all_of(assignmentsOf(B), [&](const Assignment *A) {
           return areProven(A->Target, A->Target) &&
                  (!A->Value || areProven(A->Value, A->Target));
         });
}

bool dividesSafely(const Site &S) {
  Branch B = branchOf(ifOf(S));
  auto divides = [&](const Expr *E) { return mayDivideByZero(E, S.Context); };
  return S.none(conditionalParts(B), divides) &&
         none_of(assignmentsOf(B), [&](const Assignment *A) {
           return divides(A->Node) && !S.brokenBy(A->Node);
         });
}

bool callsEnd(const Site &S) {
  return S.none(conditionalParts(branchOf(ifOf(S))), mayNotEnd);
}

bool isPartial(const Branch &B, const Target &T, const ASTContext &Context) {
  return !alwaysAssigns(B.Then, T, Context) ||
         !alwaysAssigns(B.Else, T, Context);
}

bool isInitialised(const Site &S) {
  Branch B = branchOf(ifOf(S));
  return all_of(orderOf(S, B).Targets, [&](const Target &T) {
    return !T.Variable || !isPartial(B, T, S.Context) ||
           isDefinitelyAssigned(T.Variable, ifOf(S), S.Function, S.Context) ||
           S.brokenBy(T.LValue);
  });
}

bool storesAreProven(const Site &S) {
  Branch B = branchOf(ifOf(S));
  MergedOrder Order = orderOf(S, B);
  return all_of(Order.Targets, [&](const Target &T) {
    return T.Variable || !isPartial(B, T, S.Context) ||
           (conditionReads(B, T.LValue, S.Context) &&
            isSteady(T.LValue, T.LValue, Order, S.Context)) ||
           S.brokenBy(T.LValue);
  });
}

/// Writes the statements that replace one site.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Tree(branchOf(ifOf(S))), Order(orderOf(S, Tree)),
        Whole(wholeStatement(ifOf(S), S.Context)),
        Indent(indentation(Whole.getBegin(), S.Context)) {}

  std::vector<Alternative> all() {
    std::vector<Alternative> Out;
    if (Order.Targets.size() == 1)
      add("min-max", &SelectWriter::bounded, Out);
    add("ternary", nullptr, Out);
    add("select", &SelectWriter::selection, Out);
    return Out;
  }

private:
  using Form = std::optional<std::string> (SelectWriter::*)(const Target &);
  const Site &S;
  Branch Tree;
  MergedOrder Order;
  SourceRange Whole;
  std::string Indent;

  /// Conditions that several statements need stand in variables first.
  std::vector<std::string> declare(SelectWriter &Writer) const {
    std::vector<std::string> Out;
    if (Order.Targets.size() < 2)
      return Out;
    std::vector<const Branch *> Branches{&Tree};
    llvm::append_range(Branches, branchesOf(Tree));
    FreshNames Fresh(S);
    for (const Branch *B : Branches) {
      std::string Name = Fresh.named("taken");
      Out.push_back("const bool " + Name + " = " + Writer.condition(*B) + ";");
      Writer.Names.push_back({B, Name});
    }
    return Out;
  }

  void add(const char *Label, Form How, std::vector<Alternative> &Out) const {
    SelectWriter Writer(Tree, S.Context);
    std::vector<std::string> Lines = declare(Writer);
    for (const Target &T : Order.Targets) {
      std::optional<std::string> Value =
          How ? (Writer.*How)(T) : Writer.ternary(T);
      if (!Value)
        return;
      Writer.Copied.push_back(T.LValue->getSourceRange());
      Lines.push_back(
          fitted(spelled(T.LValue, S.Context) + " = " + *Value + ";"));
    }
    Alternative A;
    A.Label = Label;
    std::tie(A.Class, A.Note) = assumption();
    std::string Comments = commentsIn(Whole, Writer.Copied, Indent, S.Context);
    A.Changes.push_back(
        replacement(Whole, Comments + statement(std::move(Lines)), S.Context));
    Out.push_back(std::move(A));
  }

  /// A long line is broken before the parts of its outermost ?:, unless it
  /// holds a literal or a comment, which may hold a colon.
  std::string fitted(std::string Line) const {
    if (Indent.size() + Line.size() <= 80 ||
        Line.find_first_of("\n'\"") != std::string::npos ||
        StringRef(Line).contains("/*"))
      return Line;
    std::string Out;
    int Depth = 0;
    for (size_t I = 0; I < Line.size(); ++I) {
      Depth += Line[I] == '(' || Line[I] == '[';
      Depth -= Line[I] == ')' || Line[I] == ']';
      StringRef Rest = StringRef(Line).drop_front(I);
      if (Depth == 0 && Rest.starts_with(" : ")) {
        Out += "\n" + Indent + "    ";
        continue;
      }
      Out += Line[I];
    }
    return Out;
  }

  std::string statement(std::vector<std::string> Lines) const {
    DynTypedNodeList Parents = S.Context.getParents(*ifOf(S));
    bool InBlock = !Parents.empty() && Parents[0].get<CompoundStmt>();
    if (InBlock || Lines.size() == 1)
      return llvm::join(Lines, "\n" + Indent);
    const std::string In = Indent + indentUnit(*ifOf(S), S.Context);
    return "{\n" + In + llvm::join(Lines, "\n" + In) + "\n" + Indent + "}";
  }

  std::pair<Safety, std::string> assumption() const {
    std::vector<std::string> Shared;
    for (const Target &T : Order.Targets)
      if (!T.Variable && isPartial(Tree, T, S.Context) &&
          !storageOf(T.LValue).isPrivate())
        Shared.push_back(spelled(T.LValue, S.Context));
    if (Shared.empty())
      return {Safety::Exact, ""};
    return {Safety::Assumes, "no other work-item accesses " +
                                 llvm::join(Shared, ", ") +
                                 " during the launch, and " +
                                 (Shared.size() == 1   ? "its buffer"
                                  : Shared.size() == 2 ? "both buffers"
                                                       : "all their buffers") +
                                 " may be written"};
  }
};

std::vector<Alternative> alternatives(const Site &S) { return Writer(S).all(); }

} // namespace

const Rewrite &rewriteBranchToSelect() {
  static const Rewrite R{
      "branch-to-select",
      "turn branches that only assign into selects",
      Safety::Exact,
      sitesOf<IfStmt, isOutermostThatAssigns>,
      {{"a part of the branch comes from a macro's body, or a preprocessor "
        "directive stands in it",
        notFromMacro, WriteItOut},
       {"a condition, a value or a target has side effects or is volatile",
        partsArePure, "compute it in a statement before the branch"},
       {"a target is a member of a union", targetsAreInNoUnion,
        "assign to a variable, and to the member behind the branch"},
       {"a target is a variable that work-items share, __local or of the "
        "program",
        targetsAreOwn,
        "assign to a private variable, and to this one behind the branch"},
       {"the address of a target is taken, and the branch reads or writes "
        "through a pointer that may lead to it",
        targetsAreKnown,
        "assign to another variable, and to this one behind the branch"},
       {"a value and its target have types that no conditional expression "
        "joins",
        typesFit, "convert the value to the target's type"},
       {"an arm assigns a target twice", assignsOnce,
        "make one assignment of the two"},
       {"an arm reads what it assigned before, and no one order of the "
        "assignments suits every arm",
        ordersAgree, "assign to new variables in the arms"},
       {"an arm reads memory that is not read where the branch is not taken, "
        "and may lie out of bounds there",
        readsAreProven,
        "where it never does, load it into a variable before the branch"},
       {"an arm divides integers by anything but a literal other than 0",
        dividesSafely,
        "where the divisor is never 0, divide before the branch"},
       {"an arm calls a function that holds a loop, which may not end for the "
        "values that the branch keeps out",
        callsEnd, "where it always ends, call it before the branch"},
       {"a variable keeps its value on some path, and nothing shows that it "
        "has one",
        isInitialised, "initialise the variable where it is declared"},
       {"an arm stores to memory that is not accessed where the branch is not "
        "taken, and may lie out of bounds there",
        storesAreProven,
        "where it never does, load it before the branch and store it behind "
        "it"}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::branch_to_select
