// Values that are alive across a loop are judged, and their loads written
// again.
//
// What is asked of a function does not depend on places in it: if the names in
// the load never change, and the memory can't, the load gives the same value
// wherever it stands. There is one exception: memory that might be written does
// not change before the function's first store.
//
// A load that is repeated in each iteration is loop-invariant, and compilers
// hoist it again, unless its index seems to change:
//
//   uint w = in[16 * g + (int)((get_work_dim() >> 2) & i)];
//
// No kernel has more than three dimensions, so this adds 0, which no compiler
// knows. The 0 is an int, so that no index changes its type.
#include "LiveAcrossLoop.h"
#include "LoadedValues.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Effects.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/PointsTo.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::reload {
namespace {

/// A value with more uses after the loop is kept: each would load it again.
constexpr size_t MostUses = 3;

/// The facts about a function that all of its values are judged by.
class Facts : public DynamicRecursiveASTVisitor {
public:
  explicit Facts(const FunctionDecl &F)
      : Function(F), Jumps(mayBeEntered(F.getBody())) {
    for (const ParmVarDecl *P : F.parameters())
      Named[P->getName()].insert(P);
    for (const VariableSet &Each : {addressTaken(F), assignedIn(F.getBody())})
      Changed.insert(Each.begin(), Each.end());
    TraverseStmt(F.getBody());
  }
  const FunctionDecl &Function;
  std::vector<const VarDecl *> Variables; ///< in the order of the text
  StringMap<VariableSet> Named;
  StringSet<> Others; ///< names that the function gives to anything else
  VariableSet Changed;
  bool Waits = false, CastsConst = false;
  bool Jumps; ///< the function has a label
  /// Where memory may be written.
  std::vector<SourceLocation> Writes;

  bool VisitVarDecl(VarDecl *V) override {
    Variables.push_back(V);
    Named[V->getName()].insert(V);
    return true;
  }
  bool VisitNamedDecl(NamedDecl *D) override {
    if (!isa<VarDecl>(D) && D->getIdentifier())
      Others.insert(D->getName());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->isAssignmentOp())
      writesTo(B->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      writesTo(U->getSubExpr());
    return true;
  }
  bool VisitAsmStmt(AsmStmt *) override {
    Waits = true;
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    // These write as an assignment does: at once, and only through their
    // pointer arguments.
    StringRef Name = calleeName(Call);
    bool Stores = isBuiltinCall(Call) &&
                  (onlyWritesArgument(Name) || Name.starts_with("write_image"));
    Waits |= !Stores && !isPure(Call);
    if (!isPure(Call))
      Writes.push_back(Call->getBeginLoc());
    return true;
  }
  bool VisitCastExpr(CastExpr *C) override {
    QualType To = C->getType(), From = C->getSubExpr()->getType();
    CastsConst |= To->isPointerType() && From->isPointerType() &&
                  !To->getPointeeType().isConstQualified() &&
                  From->getPointeeType().isConstQualified();
    return true;
  }

private:
  void writesTo(const Expr *E) {
    if (!storageOf(E).isPrivate())
      Writes.push_back(E->getBeginLoc());
  }
};

/// Judges the loaded values of one function, and writes their edits.
class Judge {
public:
  Judge(const Facts &F, ASTContext &Context) : F(F), Context(Context) {}

  LiveValue judge(const LoadedValue &K, ArrayRef<Use> Later) const {
    LiveValue Out;
    Out.Load = K.Load->getSourceRange();
    Out.Against = obstacle(K, Later, Out.Assumed);
    if (Out.Against == LiveValue::None)
      for (const Use &U : Later)
        Out.Changes.push_back(
            replacement(U.Whole->getSourceRange(), again(K, U), Context));
    return Out;
  }

  /// Judges \p K for a loop that loads it again in each iteration.
  LiveValue judgeInto(const LoadedValue &K, const VarDecl *Counter,
                      const ForStmt &Loop, bool NothingWritten) const {
    LiveValue Out;
    Out.Load = K.Load->getSourceRange();
    Out.Against = obstacle(K, {}, Out.Assumed);
    if (NothingWritten)
      Out.Assumed.clear();
    auto Named = F.Named.find(K.Variable->getName());
    if (Out.Against != LiveValue::None)
      return Out;
    const DeclStmt *D = declarationOf(K.Variable, Context);
    if (mayBeEntered(Loop.getBody()) || !D ||
        variesButForNumbers({D->getBeginLoc(), Loop.getEndLoc()}, Context)) {
      Out.Against = LiveValue::Jumped;
      return Out;
    }
    if (Context.Idents.get(K.Variable->getName()).hadMacroDefinition() ||
        Context.Idents.get(Counter->getName()).hadMacroDefinition() ||
        !meansBuiltin("get_work_dim", Context) ||
        !cast<CompoundStmt>(Loop.getBody())->getLBracLoc().isFileID())
      Out.Against = LiveValue::Hidden;
    else if (Named == F.Named.end() || Named->second.size() > 1 ||
             F.Others.contains(K.Variable->getName()))
      Out.Against = LiveValue::Shadowed;
    else
      Out.Again = spelledType(K.Type, Context) + " " +
                  K.Variable->getNameAsString() + " = " +
                  withZero(K.Load->IgnoreImpCasts(), Counter) + ";";
    return Out;
  }

private:
  const Facts &F;
  ASTContext &Context;

  /// The load, with a term added to its index or pointer that is always 0.
  std::string withZero(const Expr *Load, const VarDecl *Counter) const {
    const SourceManager &SM = Context.getSourceManager();
    const Expr *Place = placeOf(Load)->IgnoreImpCasts();
    std::string Text = spelled(Load, Context);
    std::string New = spelledOperand(Place, Context) +
                      " + (int)((get_work_dim() >> 2) & " +
                      Counter->getNameAsString() + ")";
    if (Place->getType()->isPointerType())
      New = "(" + New + ")";
    unsigned At = SM.getFileOffset(Place->getBeginLoc()) -
                  SM.getFileOffset(Load->getBeginLoc());
    Text.replace(At, spelled(Place, Context).size(), New);
    return Text;
  }

  std::vector<const VarDecl *> namesIn(const LoadedValue &K) const {
    std::vector<const VarDecl *> Out;
    mentionsAny(K.Load, [&](const VarDecl *V) {
      if (V != K.Counter)
        Out.push_back(V);
      return false;
    });
    return Out;
  }

  bool isWritten(const Expr *E) const {
    return E->getBeginLoc().isFileID() && E->getEndLoc().isFileID() &&
           isPlainText(E->getSourceRange(), Context);
  }

  /// No word of the load is the name of a macro anywhere in the file.
  bool meansItself(const Expr *E) const {
    return macrosIn(spelled(E, Context), Context).empty();
  }

  LiveValue::Obstacle obstacle(const LoadedValue &K, ArrayRef<Use> Later,
                               std::string &Assumed) const {
    if (!isWritten(K.Load) || !meansItself(K.Load) ||
        !all_of(Later, [&](const Use &U) { return isWritten(U.Whole); }))
      return LiveValue::Hidden;
    if (mayBePassed(K, Later))
      return LiveValue::Jumped;
    std::vector<const VarDecl *> Names = namesIn(K);
    for (const VarDecl *V : Names)
      if (F.Changed.contains(V->getCanonicalDecl()) ||
          V->getType().isVolatileQualified() ||
          (K.Counter && Context.getSourceManager().isBeforeInTranslationUnit(
                            K.Variable->getLocation(), V->getLocation())))
        return LiveValue::Changed;
    for (StringRef Word : wordsIn(spelled(K.Load, Context)))
      if (F.Others.contains(Word))
        return LiveValue::Shadowed;
    for (const VarDecl *V : Names)
      if (auto It = F.Named.find(V->getName());
          It != F.Named.end() &&
          (It->second.size() > 1 || !It->second.contains(V)))
        return LiveValue::Shadowed;
    return memory(K, Assumed);
  }

  /// A jump may pass over the load, or come back before it: then the variable
  /// holds what it did, or nothing. Or another build may have other code
  /// between the load and its uses.
  bool mayBePassed(const LoadedValue &K, ArrayRef<Use> Later) const {
    const DeclStmt *D = declarationOf(K.Variable, Context);
    const CompoundStmt *Block = D ? blockOf(*D, Context) : nullptr;
    return F.Jumps || !Block || mayBeEntered(Block) ||
           any_of(Later, [&](const Use &U) {
             return variesButForNumbers(
                 {D->getBeginLoc(), U.Whole->getEndLoc()}, Context);
           });
  }

  LiveValue::Obstacle memory(const LoadedValue &K, std::string &Assumed) const {
    const Expr *Pointer = pointerOf(K.Load);
    if (Pointer->getType()->getPointeeType().getAddressSpace() ==
        LangAS::opencl_constant)
      return LiveValue::None;
    if (F.Waits)
      return LiveValue::Waits;
    const auto *P =
        dyn_cast_or_null<ParmVarDecl>(memoryOf(Pointer, F.Function));
    QualType T = P ? P->getType() : QualType();
    if (!P || !T->isPointerType() || !T->getPointeeType().isConstQualified() ||
        T->getPointeeType().getAddressSpace() != LangAS::opencl_global ||
        F.CastsConst)
      return LiveValue::Written;
    if (!T.isRestrictQualified())
      Assumed = P->getNameAsString();
    return LiveValue::None;
  }

  /// The text of the load for the use \p U: converted to the variable's type,
  /// and with the index of \p U instead of the counter.
  std::string again(const LoadedValue &K, const Use &U) const {
    const Expr *Shown = K.Load->IgnoreImpCasts();
    std::string Text =
        U.Index ? withIndex(K, U, Shown) : spelled(Shown, Context);
    if (spelledOperand(Shown, Context) != spelled(Shown, Context))
      Text = "(" + Text + ")";
    if (Context.hasSameUnqualifiedType(Shown->getType(), K.Type))
      return Text;
    return "((" + spelledType(K.Type, Context) + ")" + Text + ")";
  }

  std::string withIndex(const LoadedValue &K, const Use &U,
                        const Expr *Shown) const {
    const Expr *Index = U.Index->IgnoreImpCasts();
    std::string With = spelledOperand(Index, Context);
    if (!Context.hasSameUnqualifiedType(Index->getType(), K.Counter->getType()))
      With = "(" + spelledType(K.Counter->getType(), Context) + ")" + With;
    return spelledWith(Shown, K.Counter, With, Context);
  }
};

/// The integer that \p Loop declares to count its iterations; null where it
/// declares none, or its body is not a block.
const VarDecl *counterOf(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *Body = For ? dyn_cast<CompoundStmt>(For->getBody()) : nullptr;
  const VarDecl *V = For ? loopVariable(*For) : nullptr;
  bool Counts =
      V && V->getType()->isIntegerType() && Body && !Body->body_empty();
  return Counts ? V : nullptr;
}

} // namespace

std::vector<LiveValue> usedWithin(const Stmt &Loop, ASTContext &Context) {
  const VarDecl *Counter = counterOf(Loop);
  const FunctionDecl *Function =
      enclosingFunction(DynTypedNode::create(Loop), Context);
  if (!Counter || !Function || !Function->getBody())
    return {};
  Facts F(*Function);
  auto isBefore = [&](SourceLocation A, SourceLocation B) {
    return standsBefore(A, B, Context);
  };
  SourceLocation End = outermostLoop(Loop, Context)->getEndLoc();
  bool NothingWritten = none_of(
      F.Writes, [&](SourceLocation Write) { return isBefore(Write, End); });
  std::vector<LiveValue> Out;
  for (const VarDecl *V : F.Variables) {
    if (!isBefore(V->getLocation(), Loop.getBeginLoc()) ||
        !mentions(cast<ForStmt>(Loop).getBody(), V))
      continue;
    std::optional<LoadedValue> K = loadedValue(V, *Function, Context);
    if (K && !K->Counter)
      Out.push_back(
          Judge(F, Context)
              .judgeInto(*K, Counter, cast<ForStmt>(Loop), NothingWritten));
  }
  return Out;
}

std::vector<LiveValue> liveAcross(const Stmt &Loop, ASTContext &Context) {
  const FunctionDecl *Function =
      enclosingFunction(DynTypedNode::create(Loop), Context);
  if (!Function || !Function->getBody())
    return {};
  Facts F(*Function);
  auto isBefore = [&](SourceLocation A, SourceLocation B) {
    return standsBefore(A, B, Context);
  };
  std::vector<LiveValue> Out;
  for (const VarDecl *V : F.Variables) {
    if (!isBefore(V->getLocation(), Loop.getBeginLoc()) || mentions(&Loop, V))
      continue;
    std::optional<LoadedValue> K = loadedValue(V, *Function, Context);
    if (!K || !isBefore(K->Load->getEndLoc(), Loop.getBeginLoc()))
      continue;
    std::vector<Use> Later;
    copy_if(K->Reads, std::back_inserter(Later), [&](const Use &U) {
      return isBefore(Loop.getEndLoc(), U.Whole->getBeginLoc());
    });
    if (!Later.empty() && Later.size() <= MostUses)
      Out.push_back(Judge(F, Context).judge(*K, Later));
  }
  return Out;
}

} // namespace clrewrite::rewrite::reload
