// Each read is a conversion from an lvalue to its value, or one of the
// expressions that take the value of an lvalue without one; each write is an
// assignment, an initialiser, an output of assembler or a call.
#include "rewrite/ast/Effects.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Lanes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

bool Memory::isOwn() const {
  return Variable && !Behind && isPrivate(Variable);
}

bool Memory::isShared() const {
  return !isOwn() && !isPrivateSpace(Space) && Space != LangAS::opencl_constant;
}

void Effects::add(const Effects &Other) {
  append_range(Accesses, Other.Accesses);
  if (!More)
    More = Other.More;
  if (!Waits)
    Waits = Other.Waits;
}

static Memory memoryOf(const VarDecl *V) {
  QualType T = V->getType();
  while (const clang::ArrayType *A = T->getAsArrayTypeUnsafe())
    T = A->getElementType();
  return {V, false, T.getAddressSpace()};
}

namespace {

/// An atomic operation of OpenCL C 1.x, which orders no other access.
bool isRelaxedAtomic(StringRef Name) {
  return (Name.consume_front("atomic_") || Name.consume_front("atom_")) &&
         is_contained({"add", "sub", "xchg", "inc", "dec", "cmpxchg", "min",
                       "max", "and", "or", "xor"},
                      Name);
}

} // namespace

bool onlyWritesArgument(StringRef Name) {
  return Name.starts_with("vstore") ||
         is_contained(
             {"sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"}, Name);
}

class EffectSearch : public DynamicRecursiveASTVisitor {
public:
  EffectSearch(EffectsOf &All, const FunctionDecl &F) : All(All), F(F) {}
  Effects Found;

  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true; // Its operand is not evaluated.
  }
  bool VisitExpr(Expr *E) override {
    if (!isOrdinary(E))
      unknown(E);
    if (E->getType().isVolatileQualified())
      waits(E);
    return true;
  }
  // Clang has no conversion in `as_uint(x)`, in `v.xx`, which names a lane
  // twice, and below two built-in functions of its own.
  bool VisitAsTypeExpr(AsTypeExpr *E) override {
    return reads(E->getSrcExpr());
  }
  bool VisitExtVectorElementExpr(ExtVectorElementExpr *E) override {
    if (E->isPRValue() && (E->isArrow() || E->getBase()->isGLValue()))
      access(objectOf(E), /*Write=*/false, E);
    return true;
  }
  bool VisitShuffleVectorExpr(ShuffleVectorExpr *E) override {
    for (unsigned I = 0; I < E->getNumSubExprs(); ++I)
      reads(E->getExpr(I));
    return true;
  }
  bool VisitConvertVectorExpr(ConvertVectorExpr *E) override {
    return reads(E->getSrcExpr());
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    if (D->getDecl()->getType()->isReferenceType()) // C++ for OpenCL
      unknown(D);
    return true;
  }
  bool VisitAsmStmt(AsmStmt *A) override {
    unknown(A);
    for (const Expr *Output : outputsOf(A))
      update(objectOf(Output), A);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (V->getType().isVolatileQualified() && V->getInit())
      waits(V->getInit());
    if (V->getInit())
      access(memoryOf(V->getCanonicalDecl()), /*Write=*/true, V->getInit());
    return true;
  }
  bool VisitCastExpr(CastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      access(objectOf(C->getSubExpr()), /*Write=*/false, C);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->isAssignmentOp())
      access(objectOf(B->getLHS()), /*Write=*/true, B);
    if (B->isCompoundAssignmentOp())
      access(objectOf(B->getLHS()), /*Write=*/false, B);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      update(objectOf(U->getSubExpr()), U);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee(), *Body = nullptr;
    if (Callee && Callee->getIdentifier() && isBuiltinCall(Call))
      callsBuiltin(Call, Callee->getName());
    else if (Callee && Callee->hasBody(Body) && !isa<CXXMethodDecl>(Callee))
      calls(Call, *Body);
    else
      unknown(Call);
    return true;
  }

private:
  EffectsOf &All;
  const FunctionDecl &F;
  /// What pointer variables lead into.
  std::map<const VarDecl *, Memory> Led;

  /// What \p Pointer leads into.
  Memory behind(const Expr *Pointer) {
    const VarDecl *Named = namedVariable(addedTo(Pointer));
    if (auto It = Led.find(Named); Named && It != Led.end()) {
      Memory Known = It->second;
      if (Known.Behind) // The space is that of each cast.
        Known.Space = spaceOf(Pointer);
      return Known;
    }
    const VarDecl *V = memoryOf(Pointer, F);
    Memory Out{V && isa<ParmVarDecl>(V) ? V : nullptr, true, spaceOf(Pointer)};
    if (V && !V->getType()->isPointerType())
      Out = memoryOf(V);
    if (Named && Named->getType()->isPointerType())
      Led[Named] = Out;
    return Out;
  }

  /// What the lvalue \p E names.
  Memory objectOf(const Expr *E) {
    Storage S = storageOf(E);
    if (S.Variable)
      return memoryOf(S.Variable);
    const Expr *Pointer = S.Inputs.back();
    return Pointer->getType()->isPointerType()
               ? behind(Pointer)
               : Memory{nullptr, true, LangAS::opencl_generic};
  }

  void access(Memory Where, bool Write, const Stmt *By) {
    Found.Accesses.push_back({Where, Write, By});
  }
  bool reads(const Expr *E) {
    if (E->isGLValue())
      access(objectOf(E), /*Write=*/false, E);
    return true;
  }
  void update(Memory Where, const Stmt *By) {
    access(Where, /*Write=*/false, By);
    access(Where, /*Write=*/true, By);
  }
  void more(const Stmt *By) {
    if (!Found.More)
      Found.More = By;
  }
  void waits(const Stmt *By) {
    more(By);
    if (!Found.Waits)
      Found.Waits = By;
  }
  void unknown(const Stmt *By) {
    waits(By);
    update({nullptr, true, LangAS::opencl_generic}, By);
  }

  void callsBuiltin(const CallExpr *Call, StringRef Name) {
    bool Computes = !hasEffects(Call), Writes = onlyWritesArgument(Name),
         Atomic = isRelaxedAtomic(Name);
    if (!Computes && !Writes)
      more(Call);
    if (!Computes && !Writes && !Atomic) {
      // Others may come to write, but not to what is private.
      waits(Call);
      update({nullptr, true, LangAS::opencl_global}, Call);
      update({nullptr, true, LangAS::opencl_local}, Call);
    }
    for (const Expr *Arg : Call->arguments()) {
      if (Arg->getType()->isImageType())
        access({nullptr, true, LangAS::opencl_global}, /*Write=*/false, Call);
      if (!Arg->getType()->isPointerType())
        continue;
      if (Atomic) // It may tell other work-items about anything there.
        update({nullptr, true, spaceOf(Arg)}, Call);
      else if (Computes || Writes)
        access(behind(Arg), /*Write=*/Writes, Call);
      else
        update(behind(Arg), Call);
    }
  }

  void calls(const CallExpr *Call, const FunctionDecl &Body) {
    const Effects *Own = All.ofCalled(Body);
    if (!Own)
      return unknown(Call);
    if (Own->More)
      more(Call);
    if (Own->Waits)
      waits(Call);
    for (const Access &A : Own->Accesses) {
      const auto *P = dyn_cast_or_null<ParmVarDecl>(A.Where.Variable);
      unsigned I = P ? P->getFunctionScopeIndex() : 0;
      bool Passed = P && I < Call->getNumArgs() &&
                    Call->getArg(I)->getType()->isPointerType();
      access(Passed ? behind(Call->getArg(I)) : A.Where, A.Write, Call);
    }
  }
};

EffectsOf::EffectsOf(const FunctionDecl &Function)
    : Function(Function), Addressed(addressTaken(Function)) {}

Effects EffectsOf::of(const Stmt *S, const FunctionDecl &In) {
  EffectSearch Search(*this, In);
  if (S)
    Search.TraverseStmt(const_cast<Stmt *>(S));
  return std::move(Search.Found);
}

Effects EffectsOf::of(const Stmt *S) { return of(S, Function); }

const Effects *EffectsOf::ofCalled(const FunctionDecl &Body) {
  if (Called.try_emplace(&Body).second) {
    // What calls itself finds null here, and is not looked into.
    Effects All = of(Body.getBody(), Body), Out;
    Out.More = All.More;
    Out.Waits = All.Waits;
    auto isSame = [](const Memory &A, const Memory &B) {
      return A.Variable == B.Variable && A.Behind == B.Behind &&
             A.Space == B.Space;
    };
    for (const Access &A : All.Accesses)
      if (!A.Where.isOwn() && none_of(Out.Accesses, [&](const Access &B) {
            return A.Write == B.Write && isSame(A.Where, B.Where);
          }))
        Out.Accesses.push_back(A);
    Called[&Body] = std::make_unique<Effects>(std::move(Out));
  }
  return Called[&Body].get();
}

bool EffectsOf::mayMeet(const Memory &A, const Memory &B) const {
  if (A.Variable && B.Variable && A.Behind == B.Behind) {
    if (A.Variable == B.Variable || !A.Behind)
      return A.Variable == B.Variable;
    return mayShare(A.Space, B.Space) &&
           !areApart(A.Variable, B.Variable, A.Space, Function);
  }
  // What leads somewhere is A.
  if (!A.Behind)
    return mayMeet(B, A);
  if (B.isOwn() && (A.Variable || !Addressed.contains(B.Variable)))
    return false; // No argument leads to what the function has for itself.
  return mayShare(A.Space, B.Space);
}

} // namespace clrewrite::rewrite
