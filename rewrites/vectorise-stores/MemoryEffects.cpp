// Which pointers alias memory that is not the work-item's own.
//
// A pointer leads to private memory if its type says so, or, where it is
// generic (OpenCL C 2.0 and later), if it is computed from a private variable.
// The body of a called function is looked at with what is known of its
// arguments: in
//
//   void d8(float *x) { x[0] += x[7]; }
//   d8(c);
//
// the accesses are private, because `c` is.
#include "MemoryEffects.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/PointsTo.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// The built-in functions that write through a pointer argument, and nothing
/// else.
bool onlyWritesArgument(StringRef Name) {
  return Name.starts_with("vstore") ||
         is_contained(
             {"sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"}, Name);
}

class Search : public DynamicRecursiveASTVisitor {
public:
  /// A function, and those of its parameters that point to private memory.
  using Called = std::pair<const FunctionDecl *, std::set<const VarDecl *>>;

  Search(const FunctionDecl &Function, std::set<const VarDecl *> Private,
         std::set<Called> &Seen, MemoryEffects &Into)
      : Function(Function), Private(std::move(Private)), Seen(Seen),
        Into(Into) {}
  /// Only the pointers of the function that the search started with are
  /// meaningful to the caller.
  bool Outermost = true;

  bool VisitExpr(Expr *E) override {
    bool Volatile = E->isGLValue() && E->getType().isVolatileQualified();
    Into.Unknown |= Volatile || !isOrdinary(E);
    return true;
  }
  bool VisitAsmStmt(AsmStmt *) override {
    Into.Unknown = true;
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->getOpcode() == BO_Assign)
      Targets.insert(B->getLHS()->IgnoreParens());
    if (B->isAssignmentOp())
      write(B, B->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      write(U, U->getSubExpr());
    if (U->getOpcode() == UO_Deref)
      access(U, U->getSubExpr());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *S) override {
    if (S->getBase()->getType()->isPointerType())
      access(S, S->getBase());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *M) override {
    if (M->isArrow())
      access(M, M->getBase());
    return true;
  }
  bool VisitExtVectorElementExpr(ExtVectorElementExpr *X) override {
    if (X->isArrow())
      access(X, X->getBase());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    // An array is read where it is subscripted, or passed on as a pointer.
    if (V && !isPrivate(V) && !V->getType()->isArrayType() &&
        !Targets.contains(D))
      read(V->getType().getAddressSpace(), D);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (F && isBuiltinCall(Call))
      callsBuiltin(Call);
    else if (F && F->hasBody(Body))
      calls(Call, *Body);
    else
      Into.Unknown = true;
    return true;
  }

private:
  const FunctionDecl &Function;
  std::set<const VarDecl *> Private;
  std::set<Called> &Seen;
  MemoryEffects &Into;
  SmallPtrSet<const Expr *, 8> Targets; ///< of plain assignments: not read

  void read(LangAS Space, const Expr *Pointer) {
    if (Space != LangAS::opencl_constant)
      Into.Reads.push_back({Space, Outermost ? Pointer : nullptr});
  }

  void access(const Expr *E, const Expr *Pointer) {
    if (!Targets.contains(E) && !isPrivatePointer(Pointer))
      read(spaceOf(Pointer), Pointer);
  }

  void write(const Expr *Change, const Expr *Target) {
    if (!isPrivateObject(Target))
      Into.Writes.push_back(Change);
  }

  bool isPrivateObject(const Expr *E) const {
    Storage S = storageOf(E);
    return S.Variable ? S.isPrivate() : isPrivatePointer(S.Inputs.back());
  }

  bool isPrivatePointer(const Expr *Pointer) const {
    if (isPrivateSpace(spaceOf(Pointer)))
      return true;
    const Expr *From = addedTo(Pointer);
    if (const auto *U = dyn_cast<UnaryOperator>(From);
        U && U->getOpcode() == UO_AddrOf)
      return isPrivateObject(U->getSubExpr());
    if (From->getType()->isArrayType())
      return isPrivateObject(From);
    const VarDecl *V = memoryOf(Pointer, Function);
    return V &&
           (Private.count(V) || (V->getType()->isArrayType() && isPrivate(V)));
  }

  void callsBuiltin(const CallExpr *Call) {
    bool Pure = isPure(Call), Writes = onlyWritesArgument(calleeName(Call));
    Into.Unknown |= !Pure && !Writes;
    for (const Expr *Arg : Call->arguments()) {
      if (!Arg->getType()->isPointerType() || isPrivatePointer(Arg))
        continue;
      if (!Pure)
        Into.Writes.push_back(Call);
      read(spaceOf(Arg), Arg);
    }
  }

  void calls(const CallExpr *Call, const FunctionDecl &Body) {
    std::set<const VarDecl *> Known;
    for (unsigned I = 0; I < Call->getNumArgs() && I < Body.getNumParams(); ++I)
      if (Call->getArg(I)->getType()->isPointerType() &&
          isPrivatePointer(Call->getArg(I)))
        Known.insert(Body.getParamDecl(I)->getCanonicalDecl());
    if (!Seen.insert({&Body, Known}).second)
      return;
    Search Inner(Body, std::move(Known), Seen, Into);
    Inner.Outermost = false;
    Inner.TraverseStmt(Body.getBody());
  }
};

} // namespace

MemoryEffects memoryEffects(const Stmt *S, const FunctionDecl &Function) {
  MemoryEffects Out;
  std::set<Search::Called> Seen;
  Search(Function, {}, Seen, Out).TraverseStmt(const_cast<Stmt *>(S));
  return Out;
}

} // namespace clrewrite::rewrite
