// specialise-arguments: a kernel's integer arguments become constants where it
// is launched with the values that a launch shows.
//
//     __kernel void blur(__global const float *in, __global float *out, int w,
//                        int radius) {
//       BODY
//     }
//
// becomes, if its launch passes radius=2,
//
//     __kernel void blur(__global const float *in, __global float *out, int w,
//                        int radius) {
//       void blur_work(__global const float *in, __global float *out, int w,
//                      int radius);
//       if (radius == 2)
//         blur_work(in, out, w, 2);
//       else
//         blur_work(in, out, w, radius);
//     }
//     __attribute__((always_inline))
//     void blur_work(__global const float *in, __global float *out, int w,
//                    int radius) {
//       BODY
//     }
//
// The compiler inlines both calls, and in the first it unrolls the loops, and
// folds the products of indices, that depend on the argument. All work-items
// of a launch have the same arguments, so that they take the same branch, and
// barriers stay legal. Any other value runs the body as it was. The body stays
// where it is, once.
//
// Arrays in local memory, which a kernel alone may declare, move into the
// kernel that chooses. Their declarations become parameters as they are
// written: as a parameter, `local float tile[16][17]` is a pointer to rows.
#include "FoldedArithmetic.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/BodyFunction.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::specialise_arguments {
namespace {

/// An argument with the value that every known launch passes, as a literal of
/// the parameter's type.
struct Constant {
  const ParmVarDecl *Parameter;
  std::string Value;
};

/// The kernel chooses between two calls of one function already, as this
/// rewrite leaves it.
bool isChoice(const FunctionDecl &F) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F.getBody());
  const auto *If = Body && !Body->body_empty()
                       ? dyn_cast<IfStmt>(Body->body_back())
                       : nullptr;
  auto callee = [](const Stmt *S) {
    const auto *Call = dyn_cast_or_null<CallExpr>(S);
    return Call ? Call->getDirectCallee() : nullptr;
  };
  return If && callee(If->getThen()) &&
         callee(If->getThen()) == callee(If->getElse());
}

bool isKernelWithIntegers(const FunctionDecl &F, ASTContext &Context) {
  return isKernelDefinition(F, Context) && !isChoice(F) &&
         any_of(F.parameters(), [](const ParmVarDecl *P) {
           return P->getType()->isIntegerType();
         });
}

/// \p Value in the type \p T, to which it wraps. The least integer of a signed
/// type has no literal.
std::optional<std::string> literal(int64_t Value, QualType T,
                                   const ASTContext &Context) {
  unsigned Bits = unsigned(Context.getTypeSize(T));
  bool Unsigned = T->isUnsignedIntegerType();
  APSInt Wrapped(
      APInt(64, uint64_t(Value), /*isSigned=*/true).sextOrTrunc(Bits),
      Unsigned);
  if (!Unsigned && Wrapped.isMinSignedValue())
    return std::nullopt;
  return toString(Wrapped, 10) + (Unsigned && Bits >= 32 ? "u" : "") +
         (Bits == 64 ? "L" : "");
}

/// What \p L passes for the parameter of this number.
std::optional<int64_t> passed(const KnownLaunch &L, const FunctionDecl &F,
                              unsigned Number) {
  auto Named = L.Scalars.find(F.getParamDecl(Number)->getName().str());
  if (Named == L.Scalars.end())
    Named = L.Scalars.find(utostr(Number));
  return Named == L.Scalars.end() ? std::nullopt : std::optional(Named->second);
}

/// The integers that the kernel's body reads, and for which all launches agree
/// on a value.
std::vector<Constant> agreed(const Site &S) {
  std::vector<Constant> Out;
  for (unsigned I = 0; I < S.Function.getNumParams(); ++I) {
    const ParmVarDecl *P = S.Function.getParamDecl(I);
    if (!P->getType()->isIntegerType() || !P->isUsed() || S.Launches.empty())
      continue;
    std::optional<int64_t> First = passed(S.Launches.front(), S.Function, I);
    std::optional<std::string> Value =
        First ? literal(*First, P->getType(), S.Context) : std::nullopt;
    if (Value && all_of(S.Launches, [&](const KnownLaunch &L) {
          return passed(L, S.Function, I) == First;
        }))
      Out.push_back({P, *Value});
  }
  return Out;
}

/// Those of agreed() that no floating-point rounding depends on.
std::vector<Constant> chosen(const Site &S) {
  std::vector<Constant> All = agreed(S);
  ParameterSet Names;
  for (const Constant &C : All)
    Names.insert(C.Parameter);
  Names = foldExactly(std::move(Names), S.Function, S.Context);
  erase_if(All,
           [&](const Constant &C) { return !Names.contains(C.Parameter); });
  return All;
}

bool launchPassesIntegers(const Site &S) { return !agreed(S).empty(); }

bool isLocal(const Decl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && !isa<ParmVarDecl>(V) &&
         V->getType().getAddressSpace() == LangAS::opencl_local;
}

/// The declarations of local memory, in their order.
std::vector<const DeclStmt *> localMemory(const FunctionDecl &F) {
  std::vector<const DeclStmt *> Out;
  for (const Stmt *Each : cast<CompoundStmt>(F.getBody())->body())
    if (const auto *D = dyn_cast<DeclStmt>(Each);
        D && any_of(D->decls(), isLocal))
      Out.push_back(D);
  return Out;
}

/// Looks for what means something else in another function: the size and the
/// address of a local array, which is a pointer there, types that name it, and
/// the function's own name.
class OwnUses : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitUnaryOperator(UnaryOperator *U) override {
    return U->getOpcode() != UO_AddrOf || lookAt(U->getSubExpr());
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) override {
    return E->isArgumentType() || lookAt(E->getArgumentExpr());
  }
  bool VisitPredefinedExpr(PredefinedExpr *) override {
    Found = true;
    return false;
  }
  bool VisitTypeOfExprTypeLoc(TypeOfExprTypeLoc) override {
    Found = true;
    return false;
  }

private:
  bool lookAt(const Expr *E) {
    const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    Found |= Name && isLocal(Name->getDecl());
    return !Found;
  }
};

/// The text of \p D means the same before the body: no directive stands ahead
/// of it there, and it names nothing that the body declares.
bool meansTheSameBefore(const DeclStmt *D, const Site &S) {
  const auto *Body = cast<CompoundStmt>(S.Function.getBody());
  if (variationIn({Body->getLBracLoc(), D->getEndLoc()}, S.Context).isValid())
    return false;
  const auto Words = wordsIn(text(D->getSourceRange(), S.Context).value_or(""));
  auto isNamed = [&](const Decl *Each) {
    const auto *Named = dyn_cast<NamedDecl>(Each);
    return Named && Named->getIdentifier() &&
           is_contained(Words, Named->getName());
  };
  return none_of(S.Function.decls(), [&](const Decl *Each) {
    const auto *Enum = dyn_cast<EnumDecl>(Each);
    return (isNamed(Each) && !is_contained(D->decls(), Each)) ||
           (Enum && any_of(Enum->enumerators(), isNamed));
  });
}

/// Only a kernel may declare it.
bool isConstantMemory(const Decl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && V->getType().getAddressSpace() == LangAS::opencl_constant &&
         !isa<ParmVarDecl>(V);
}

/// \p D, which declares local memory, as a parameter: `local float b[4]` for
/// the second variable of `local float a[16], b[4];`.
std::string asParameter(const VarDecl *V, const DeclStmt *D,
                        const ASTContext &Context) {
  const auto *First = cast<VarDecl>(*D->decl_begin());
  StringRef All = *text(D->getSourceRange(), Context);
  StringRef Type = All.take_front(
      Context.getSourceManager().getFileOffset(First->getLocation()) -
      Context.getSourceManager().getFileOffset(D->getBeginLoc()));
  return (Type + *text({V->getLocation(), V->getEndLoc()}, Context)).str();
}

/// What local memory is declared as is text of the file that can be copied,
/// arrays of anything but pointers, and their names are used as a pointer's
/// could be. There is no constant memory.
bool localMemoryCanBePassed(const Site &S) {
  std::vector<const DeclStmt *> Memory = localMemory(S.Function);
  OwnUses Uses;
  Uses.TraverseStmt(S.Function.getBody());
  size_t Named = 0;
  auto isPlainArray = [&](const Decl *D) {
    ++Named;
    const auto *V = cast<VarDecl>(D);
    const ConstantArrayType *A = S.Context.getAsConstantArrayType(V->getType());
    return isLocal(V) && A && !V->hasAttrs() && V->getLocation().isFileID() &&
           V->getEndLoc().isFileID() &&
           !S.Context.getBaseElementType(A)->isAnyPointerType();
  };
  return !Uses.Found &&
         all_of(Memory,
                [&](const DeclStmt *D) {
                  return D->getBeginLoc().isFileID() &&
                         D->getEndLoc().isFileID() &&
                         isCopyable(D->getSourceRange(), S.Context) &&
                         meansTheSameBefore(D, S) &&
                         all_of(D->decls(), isPlainArray);
                }) &&
         none_of(S.Function.decls(), isConstantMemory) &&
         size_t(count_if(S.Function.decls(), isLocal)) == Named;
}

bool someFoldExactly(const Site &S) { return !chosen(S).empty(); }

/// The kernel as a choice, and the head of the function with its work.
Alternative with(ArrayRef<Constant> Constants, std::string Label,
                 const Site &S) {
  const FunctionDecl &F = S.Function;
  BodyFunction Work(S, "_work");
  std::vector<std::string> Tests, Given = Work.arguments(), Fixed = Given;
  for (const Constant &C : Constants) {
    std::string &Argument = Fixed[C.Parameter->getFunctionScopeIndex()];
    Tests.push_back(Argument + " == " + C.Value);
    Argument = C.Value;
  }
  Alternative A;
  A.Label = std::move(Label);
  std::string Declared;
  for (const DeclStmt *D : localMemory(F)) {
    Declared += "  " + text(D->getSourceRange(), S.Context)->str() + "\n";
    for (const Decl *Each : D->decls()) {
      const auto *V = cast<VarDecl>(Each);
      Work.add(asParameter(V, D, S.Context));
      Given.push_back(V->getNameAsString());
      Fixed.push_back(Given.back());
    }
    A.Changes.push_back(removal(*D, S.Context));
  }
  A.ForTime = true;
  A.Changes.push_back(Work.edit(
      Declared, "  if (" + join(Tests, " && ") + ")\n    " + Work.call(Fixed) +
                    "\n  else\n    " + Work.call(Given) + "\n"));
  return A;
}

/// All together, each without another, and each alone: which of them matter is
/// for the search to find out.
std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Constant> All = chosen(S);
  std::vector<Alternative> Out = {with(All, "all", S)};
  if (All.size() > 2)
    for (size_t I = 0; I < All.size(); ++I) {
      std::vector<Constant> Rest = All;
      Rest.erase(Rest.begin() + long(I));
      Out.push_back(
          with(Rest, "without-" + All[I].Parameter->getNameAsString(), S));
    }
  if (All.size() > 1)
    for (const Constant &C : All)
      Out.push_back(with(C, "only-" + C.Parameter->getNameAsString(), S));
  return Out;
}

} // namespace

const Rewrite &rewriteSpecialiseArguments() {
  static const Rewrite R{
      "specialise-arguments",
      "make a kernel's integer arguments constants where it is launched as "
      "known",
      Safety::Exact,
      sitesOf<FunctionDecl, isKernelWithIntegers>,
      {HeadIsCopyable,
       ParametersHaveNames,
       {"it declares constant memory, or local memory that is no array, or "
        "aligned, or by a macro, or behind a directive, or it takes such an "
        "array's size, type or address, or its own name",
        localMemoryCanBePassed,
        "declare plain arrays, and pass sizes as numbers"},
       {"floating-point arithmetic depends on each argument whose value is "
        "known, and the compiler may round it otherwise than the device",
        someFoldExactly}},
      alternatives,
      /*Phase=*/1,
      /*Traits=*/0,
      launchPassesIntegers};
  return R;
}

} // namespace clrewrite::rewrite::specialise_arguments
