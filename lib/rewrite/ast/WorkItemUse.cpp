// All bodies that a kernel reaches are walked, its own for the calls.
#include "rewrite/ast/WorkItemUse.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// A built-in function of one target's, which may ask for anything.
static bool isOfOneTarget(StringRef Name) {
  return Name.starts_with("__builtin_amdgcn_") || Name.starts_with("__nvvm_") ||
         Name.starts_with("__builtin_r600_");
}

bool asksForGroup(StringRef Name) {
  return is_contained({"get_local_id", "get_local_size", "get_group_id",
                       "get_num_groups", "get_enqueued_local_size",
                       "get_local_linear_id", "get_global_linear_id"},
                      Name) ||
         isOfOneTarget(Name);
}

bool asksForWhole(StringRef Name) {
  return is_contained({"get_global_size", "get_global_offset", "get_group_id",
                       "get_num_groups", "get_global_linear_id",
                       "enqueue_kernel"},
                      Name) ||
         isOfOneTarget(Name);
}

bool worksTogether(StringRef Name) {
  return Name.contains("barrier") || Name.contains("work_group") ||
         Name.contains("sub_group") || Name == "wait_group_events" ||
         Name == "enqueue_kernel";
}

namespace {

class Walk : public DynamicRecursiveASTVisitor {
public:
  explicit Walk(const Site &S) : Context(S.Context) {
    look(S.Function);
    InKernel = false;
    while (!Left.empty())
      look(*Left.pop_back_val());
  }
  WorkItemUse Found;

  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F) {
      noteFirst(Found.Unknown, Call->getSourceRange());
      return true;
    }
    if (F->hasBody()) {
      enter(F);
      return true;
    }
    StringRef Name = calleeName(Call);
    if (!isBuiltinCall(Call))
      noteFirst(Found.Unknown, Call->getSourceRange());
    if (asksForGroup(Name))
      noteFirst(Found.Groups, Call->getSourceRange());
    if (worksTogether(Name))
      noteFirst(Found.Together, Call->getSourceRange());
    if (Name == "get_global_id" || Name == "get_global_size")
      note(*Call, Name == "get_global_size");
    return true;
  }
  // In C++ for OpenCL other code runs unseen.
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    enter(E->getConstructor());
    for (const FieldDecl *Field : E->getConstructor()->getParent()->fields())
      if (Field->hasInClassInitializer() && Field->getInClassInitializer())
        TraverseStmt(Field->getInClassInitializer());
    return true;
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *E) override {
    enter(E->getTemporary()->getDestructor());
    return true;
  }
  bool VisitBlockExpr(BlockExpr *B) override {
    noteFirst(Found.Together, B->getSourceRange());
    return true;
  }
  bool VisitAsmStmt(AsmStmt *A) override {
    noteFirst(Found.Groups, A->getSourceRange());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    QualType T = V->getType();
    if (const CXXRecordDecl *R =
            T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
        R && R->hasDefinition())
      enter(R->getDestructor());
    if (T.getAddressSpace() == LangAS::opencl_local ||
        (T->isPointerType() &&
         T->getPointeeType().getAddressSpace() == LangAS::opencl_local))
      noteFirst(Found.LocalMemory, V->getSourceRange());
    return true;
  }

private:
  const ASTContext &Context;
  bool InKernel = true;
  SmallPtrSet<const FunctionDecl *, 8> Seen;
  SmallVector<const FunctionDecl *> Left;

  /// Comes to the body of \p F later, where it has one.
  void enter(const FunctionDecl *F) {
    const FunctionDecl *Body = nullptr;
    if (F && F->hasBody(Body) && Seen.insert(Body).second)
      Left.push_back(Body);
  }

  static void noteFirst(std::optional<SourceRange> &Into, SourceRange Code) {
    if (!Into)
      Into = Code;
  }

  void look(const FunctionDecl &F) {
    TraverseDecl(const_cast<FunctionDecl *>(&F));
    // Another build may have an arm of an #if that asks.
    StringRef Text = text(F.getSourceRange(), Context).value_or("");
    frontend::eachRawToken(
        Text, [&](tok::TokenKind, size_t At, StringRef Name) {
          SourceRange Word = locationOf(Text.substr(At, Name.size()), Context);
          if (asksForGroup(Name))
            noteFirst(Found.Groups, Word);
          if (Name == "barrier" || Name.starts_with("work_group_") ||
              Name.starts_with("sub_group_"))
            noteFirst(Found.Together, Word);
        });
  }

  void note(const CallExpr &Call, bool Size) {
    std::optional<int64_t> D = Call.getNumArgs() == 1
                                   ? constant(Call.getArg(0), Context)
                                   : std::nullopt;
    if (!InKernel)
      noteFirst(Found.Elsewhere, Call.getSourceRange());
    else if (!D || *D < 0 || *D > 2)
      noteFirst(Found.Computed, Call.getSourceRange());
    else
      Found.Calls.push_back({&Call, unsigned(*D), Size});
  }
};

} // namespace

bool WorkItemUse::asksForId() const {
  return Computed || Elsewhere || Unknown || Groups ||
         any_of(Calls, [](const Call &Each) { return !Each.Size; });
}

WorkItemUse workItemUse(const Site &S) { return Walk(S).Found; }

/// One of the attribute's sizes, which are expressions since Clang 21.
[[maybe_unused]] static std::optional<uint64_t> groupSize(const Expr *E,
                                                          const ASTContext &C) {
  std::optional<APSInt> N = E->getIntegerConstantExpr(C);
  return N ? std::optional(N->getZExtValue()) : std::nullopt;
}
[[maybe_unused]] static std::optional<uint64_t> groupSize(unsigned N,
                                                          const ASTContext &) {
  return N;
}

std::vector<uint64_t> requiredGroup(const FunctionDecl &F) {
  const auto *A = F.getAttr<ReqdWorkGroupSizeAttr>();
  std::vector<uint64_t> Out;
  if (!A)
    return Out;
  for (auto Given : {A->getXDim(), A->getYDim(), A->getZDim()}) {
    std::optional<uint64_t> Size = groupSize(Given, F.getASTContext());
    if (!Size)
      return {};
    Out.push_back(*Size);
  }
  return Out;
}

std::vector<uint64_t> stableGroup(const FunctionDecl &F) {
  const auto *A = F.getAttr<ReqdWorkGroupSizeAttr>();
  const ASTContext &Context = F.getASTContext();
  MacroStability &Macros = MacroStability::of(Context);
  std::optional<StringRef> Text =
      A ? text(A->getRange(), Context) : std::nullopt;
  return Text && Macros.isStable(A->getLocation()) &&
                 Macros.unstableIn(*Text).empty()
             ? requiredGroup(F)
             : std::vector<uint64_t>();
}

} // namespace clrewrite::rewrite
