// Loops that stand there twice: for aligned buffers, and for others.
//
//   for (...) sum += vload4(0, in + 4 * i);
// becomes
//   if (((uintptr_t)in & (sizeof(float4) - 1)) == 0) {
//     for (...) sum += k_plain_load_float4(0, in + 4 * i);
//   } else {
//     for (...) sum += vload4(0, in + 4 * i);
//   }
//
// Each access is a whole multiple of vectors away from its buffer, so that the
// condition is true of the access where it is true of the buffer.
#include "LoopVersions.h"
#include "rewrite/ast/Alignment.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/LoopText.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::align_access {
namespace {

/// Longer loops, in bytes, are not written twice.
constexpr size_t MostText = 2000;
constexpr size_t MostBuffers = 3;

class LoopSearch : public DynamicRecursiveASTVisitor {
public:
  LoopSearch(const Site &S, ArrayRef<VectorAccess> Accesses)
      : S(S), Accesses(Accesses), Aligned(S.Function, S.Context) {}
  std::vector<LoopVersions> Found;

  bool TraverseForStmt(ForStmt *L) override {
    return add(*L) || DynamicRecursiveASTVisitor::TraverseForStmt(L);
  }

private:
  const Site &S;
  ArrayRef<VectorAccess> Accesses;
  Alignment Aligned;

  bool add(const ForStmt &L) {
    LoopVersions V{&L, {}, {}};
    const SourceManager &SM = S.Context.getSourceManager();
    StringRef Text =
        text(wholeStatement(&L, S.Context), S.Context).value_or("");
    if (Text.empty() || Text.size() > MostText)
      return false;
    for (const VectorAccess &A : Accesses) {
      const char *At = SM.getCharacterData(A.Call->getBeginLoc());
      if (At < Text.begin() || At >= Text.end())
        continue;
      V.Accesses.push_back(A);
      if (!addBuffer(A, V.Buffers))
        return false;
    }
    if (V.Buffers.empty() || V.Buffers.size() > MostBuffers ||
        !mayStandTwice(L, S))
      return false;
    Found.push_back(std::move(V));
    return true;
  }

  /// Adds the buffer that \p A is in; false where none is sure, or its name
  /// means something else in the loop.
  bool addBuffer(const VectorAccess &A,
                 std::vector<LoopVersions::Buffer> &Into) const {
    const ParmVarDecl *P = A.space() == LangAS::opencl_local
                               ? nullptr
                               : Aligned.buffer(A.Pointer, A.Lanes);
    if (!P || isMacro(P->getName(), S.Context) ||
        declares(S.Function, P->getName(), P))
      return false;
    LoopVersions::Buffer New{P, spelledVector(A, S.Context)};
    if (!keepsMeaning(New.Vector, S) || !keepsMeaning("uintptr_t", S))
      return false;
    if (none_of(Into, [&](const LoopVersions::Buffer &B) {
          return B.Parameter == P && B.Vector == New.Vector;
        }))
      Into.push_back(std::move(New));
    return true;
  }
};

} // namespace

std::vector<LoopVersions> loopsIn(const Site &S,
                                  ArrayRef<VectorAccess> Accesses) {
  return searched(LoopSearch(S, Accesses), S.Function.getBody()).Found;
}

Edit versionsOf(const LoopVersions &L,
                function_ref<std::string(const VectorAccess &)> NameOf,
                ASTContext &Context) {
  const std::string Indent = indentation(L.Loop->getBeginLoc(), Context),
                    Step = indentUnit(*L.Loop, Context);
  Edit Out = replacement(wholeStatement(L.Loop, Context), "", Context);
  const StringRef Loop =
      text(wholeStatement(L.Loop, Context), Context).value_or("");
  Edits Names;
  for (const VectorAccess &A : L.Accesses)
    Names.push_back(replacement(
        A.Call->getCallee()->IgnoreParenImpCasts()->getSourceRange(), NameOf(A),
        Context));
  std::string If;
  for (const LoopVersions::Buffer &B : L.Buffers)
    If += (If.empty() ? "if (" : " &&\n" + Indent + "    ") + "((uintptr_t)" +
          B.Parameter->getName().str() + " & (sizeof(" + B.Vector +
          ") - 1)) == 0";
  Out.Text = If + ") {\n" + Indent + Step +
             indented(edited(Loop, Names, Context), Step) + "\n" + Indent +
             "} else {\n" + Indent + Step + indented(Loop, Step) + "\n" +
             Indent + "}";
  return Out;
}

} // namespace clrewrite::rewrite::align_access
