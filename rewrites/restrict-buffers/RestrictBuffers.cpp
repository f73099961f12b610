// restrict-buffers: a kernel's buffers are promised not to overlap.
//
// A store through one pointer may change what another leads to, so that a
// compiler neither moves a later load above it nor keeps a value over it, and
// NVIDIA's takes no load for one of memory that stays. In most kernels every
// argument is a buffer of its own, and only the host knows: `restrict` says so.
// All pointers to global memory get it together. One that is only read may
// overlap another that is only read, whatever they promise; what must stand
// alone is what the kernel writes.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::restrict_buffers {
namespace {

/// A pointer to global memory that can be used: it has a name.
bool leadsToGlobal(const ParmVarDecl *P) {
  return P->getIdentifier() && P->getType()->isPointerType() &&
         P->getType()->getPointeeType().getAddressSpace() ==
             LangAS::opencl_global;
}

bool mayBeWritten(const ParmVarDecl *P) {
  return !P->getType()->getPointeeType().isConstQualified();
}

/// The buffers that the promise is about: those that the kernel may write, and
/// that are not `restrict` yet.
std::vector<const ParmVarDecl *> writtenBuffers(const FunctionDecl &F) {
  std::vector<const ParmVarDecl *> Out;
  for (const ParmVarDecl *P : F.parameters())
    if (leadsToGlobal(P) && mayBeWritten(P) &&
        !P->getType().isRestrictQualified())
      Out.push_back(P);
  return Out;
}

bool hasBuffersThatMayOverlap(const FunctionDecl &Node, ASTContext &Context) {
  return isKernelDefinition(Node, Context) && !writtenBuffers(Node).empty() &&
         count_if(Node.parameters(), leadsToGlobal) > 1;
}

/// The parameters that become `restrict`.
std::vector<const ParmVarDecl *> promised(const FunctionDecl &F) {
  std::vector<const ParmVarDecl *> Out;
  for (const ParmVarDecl *P : F.parameters())
    if (leadsToGlobal(P) && !P->getType().isRestrictQualified())
      Out.push_back(P);
  return Out;
}

/// The word after the `*` of \p P; none where that is no text of the file.
std::optional<Edit> promise(const ParmVarDecl *P, const ASTContext &Context) {
  const TypeSourceInfo *Type = P->getTypeSourceInfo();
  auto Pointer =
      Type ? Type->getTypeLoc().getUnqualifiedLoc().getAs<PointerTypeLoc>()
           : PointerTypeLoc();
  if (!Pointer || text(Pointer.getStarLoc(), Context) != "*")
    return std::nullopt;
  SourceLocation Behind = Pointer.getStarLoc().getLocWithOffset(1);
  bool Apart =
      isWhitespace(*Context.getSourceManager().getCharacterData(Behind));
  // C++ for OpenCL lacks the word of C.
  std::string Word =
      Context.getLangOpts().CPlusPlus ? "__restrict" : "restrict";
  return insertion(Behind, Apart ? Word : Word + " ", Context);
}

bool restrictIsFree(const Site &S) {
  return !S.Context.Idents.get("restrict").hadMacroDefinition();
}

bool isWritten(const Site &S) {
  return all_of(promised(S.Function), [&](const ParmVarDecl *P) {
    return promise(P, S.Context) || S.brokenBy(P->getSourceRange());
  });
}

/// A variable of a function, or a parameter.
bool isOfAFunction(const Expr *E) {
  const auto *V = dyn_cast_or_null<VarDecl>(namedVariable(E));
  return V && !V->hasGlobalStorage();
}

/// Pointers to which the arguments are no key: one that comes from
/// memory or from a number may lead to any buffer, and one that loses its const
/// may be written through.
struct OtherPointers {
  const Expr *Foreign = nullptr, *Unlocked = nullptr;
};

OtherPointers pointersIn(const Site &S) {
  OtherPointers Out;
  for (const CastExpr *C : allIn<CastExpr>(
           S.Context.getTranslationUnitDecl(),
           [](const CastExpr *C) { return C->getType()->isPointerType(); })) {
    QualType To = C->getType(), From = C->getSubExpr()->getType();
    if (C->getCastKind() == CK_IntegralToPointer ||
        (C->getCastKind() == CK_LValueToRValue &&
         !isOfAFunction(C->getSubExpr())))
      Out.Foreign = C;
    else if (From->isPointerType() &&
             From->getPointeeType().isConstQualified() &&
             !To->getPointeeType().isConstQualified())
      Out.Unlocked = C;
  }
  return Out;
}

bool argumentsTellOfAll(const Site &S) {
  const Expr *Foreign = S.once<pointersIn>().Foreign;
  return !Foreign || S.brokenBy(Foreign);
}

bool constIsKept(const Site &S) {
  const Expr *Unlocked = S.once<pointersIn>().Unlocked;
  return !Unlocked || S.brokenBy(Unlocked);
}

/// The pairs of parameters that the promise is about.
std::vector<ParameterPair> pairsApart(const FunctionDecl &F) {
  std::vector<ParameterPair> Out;
  std::vector<const ParmVarDecl *> Written = writtenBuffers(F);
  for (const ParmVarDecl *W : Written)
    for (const ParmVarDecl *P : F.parameters())
      if (leadsToGlobal(P) && P != W &&
          (P->getFunctionScopeIndex() > W->getFunctionScopeIndex() ||
           !is_contained(Written, P)))
        Out.push_back({W->getFunctionScopeIndex(), P->getFunctionScopeIndex()});
  return Out;
}

/// No pointer gets the value of another.
bool staysItself(const Site &S) {
  std::vector<const ParmVarDecl *> Buffers = promised(S.Function);
  auto buffer = [&](const Expr *E) {
    const auto *P = dyn_cast_or_null<ParmVarDecl>(namedVariable(E));
    return is_contained(Buffers, P) ? P : nullptr;
  };
  return S.unlessBroken(firstIn<Expr>(S.Function.getBody(), [&](const Expr *E) {
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_AddrOf && buffer(U->getSubExpr());
    const auto *B = dyn_cast<BinaryOperator>(E);
    const ParmVarDecl *To =
        B && B->isAssignmentOp() ? buffer(B->getLHS()) : nullptr;
    return To && mentionsAny(B->getRHS(), [To](const VarDecl *V) {
             return V != To && V->getType()->isAnyPointerType();
           });
  }));
}

std::string note(const Site &S) {
  std::string Names;
  std::vector<const ParmVarDecl *> Written = writtenBuffers(S.Function);
  for (const ParmVarDecl *P : Written)
    Names += (P == Written.front()  ? "'"
              : P == Written.back() ? " and '"
                                    : ", '") +
             P->getNameAsString() + "'";
  return "the buffer" + std::string(Written.size() > 1 ? "s " : " ") + Names +
         (Written.size() > 1 ? " overlap" : " overlaps") +
         " no other buffer of the kernel";
}

std::vector<Alternative> alternatives(const Site &S) {
  Alternative A;
  A.Label = "all";
  A.Class = Safety::Assumes;
  A.Note = note(S);
  A.Apart = pairsApart(S.Function);
  for (const ParmVarDecl *P : promised(S.Function))
    A.Changes.push_back(*promise(P, S.Context));
  return {A};
}

} // namespace

const Rewrite &rewriteRestrictBuffers() {
  static const Rewrite R{
      "restrict-buffers",
      "promise that the buffers that a kernel writes overlap no others",
      Safety::Assumes,
      sitesOf<FunctionDecl, hasBuffersThatMayOverlap>,
      {{"restrict is a macro in this program", restrictIsFree, RenameOwn},
       {"a pointer's type has a name of its own, is an array or comes from a "
        "macro",
        isWritten, "write the type with a *"},
       IsOnlyForHost,
       {"a buffer's pointer gets the value of another, or its address is taken",
        staysItself, "use another variable for that"},
       {"a pointer comes from memory or from a number, and may lead to any "
        "buffer",
        argumentsTellOfAll, "pass what it leads to as an argument"},
       {"a cast takes the const from a pointer, so that what it leads to may "
        "be written",
        constIsKept, "declare the parameter without const"}},
      alternatives,
      /*Phase=*/0,
      HoldsElsewhere};
  return R;
}

} // namespace clrewrite::rewrite::restrict_buffers
