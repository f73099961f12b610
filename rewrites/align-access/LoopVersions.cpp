// Loops that stand there twice: for aligned buffers, and for others.
//
//   for (...) sum += vload4(0, in + 4 * i);
// becomes
//   if (((uintptr_t)in & (sizeof(float4) - 1)) == 0) {
//     for (...) sum += k_load_float4(0, in + 4 * i);
//   } else {
//     for (...) sum += vload4(0, in + 4 * i);
//   }
//
// Whichever condition stands there, both versions do the same, in every build.
// In the first one a compiler that sees that `4 * i` is a multiple of the
// vector drops the test in k_load_float4, and so the branch in the loop, for
// which NVIDIA's compiler makes slow code.
#include "LoopVersions.h"
#include "rewrite/ast/Alignment.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Longer loops, in bytes, are not written twice.
constexpr size_t MostText = 2000;
constexpr size_t MostBuffers = 3;

/// Looks for what can't stand there twice, or changes its meaning in a block:
/// a label, a case of a switch around it, a declaration of anything but
/// variables.
class UniqueSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitLabelStmt(LabelStmt *) override { return find(); }
  bool VisitAddrLabelExpr(AddrLabelExpr *) override { return find(); }
  bool VisitSwitchCase(SwitchCase *) override {
    return Switches ? true : find();
  }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    ++Switches;
    bool Go = DynamicRecursiveASTVisitor::TraverseSwitchStmt(S);
    --Switches;
    return Go;
  }
  bool VisitDeclStmt(DeclStmt *D) override {
    bool Variables = all_of(D->decls(), [](const Decl *Each) {
      const auto *V = dyn_cast<VarDecl>(Each);
      return V && !V->isStaticLocal();
    });
    return Variables ? true : find();
  }

private:
  unsigned Switches = 0;
  bool find() {
    Found = true;
    return false;
  }
};

/// The braces of \p Text pair in each arm of its #if's alone, and no arm is
/// begun or ended outside.
bool braceArmsPair(StringRef Text) {
  std::vector<int> Open{0}; // braces, in each arm that is open
  for (StringRef Line : split(Text, '\n')) {
    std::optional<StringRef> D = directive(Line);
    if (!D) {
      for (char C : Line)
        Open.back() += C == '{' ? 1 : C == '}' ? -1 : 0;
      continue;
    }
    if (D->starts_with("if")) {
      Open.push_back(0);
    } else if (D->starts_with("el") || D->starts_with("endif")) {
      if (Open.size() == 1 || Open.back())
        return false;
      if (D->starts_with("endif"))
        Open.pop_back();
    } else if (!D->starts_with("pragma")) {
      return false;
    }
  }
  return Open.size() == 1 && !Open.front();
}

/// No macro that \p Text names holds a brace in any build.
bool macrosHoldNoBrace(StringRef Text, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<std::string> Lines =
      directivesIn(commandLine(SM), Context.getLangOpts());
  for (StringRef File : userTexts(SM))
    append_range(Lines, directivesIn(File, Context.getLangOpts()));
  const std::vector<StringRef> Words = wordsIn(Text);
  return none_of(Lines, [&](StringRef Line) {
    const std::vector<StringRef> Of = wordsIn(Line);
    return Line.starts_with("define") && Of.size() > 1 &&
           Line.find_first_of("{}") != StringRef::npos &&
           is_contained(Words, Of[1]);
  });
}

class LoopSearch : public DynamicRecursiveASTVisitor {
public:
  LoopSearch(const Site &S, ArrayRef<VectorAccess> Accesses)
      : S(S), Accesses(Accesses), Aligned(S.Function, S.Context) {}
  std::vector<LoopVersions> Found;

  bool TraverseForStmt(ForStmt *L) override {
    return add(*L) || DynamicRecursiveASTVisitor::TraverseForStmt(L);
  }
  bool TraverseWhileStmt(WhileStmt *L) override {
    return add(*L) || DynamicRecursiveASTVisitor::TraverseWhileStmt(L);
  }

private:
  const Site &S;
  ArrayRef<VectorAccess> Accesses;
  Alignment Aligned;

  bool add(const Stmt &L) {
    LoopVersions V{&L, {}, {}};
    const SourceManager &SM = S.Context.getSourceManager();
    SourceRange Whole = wholeStatement(&L, S.Context);
    StringRef Text = text(Whole, S.Context).value_or("");
    if (Text.empty() || Text.size() > MostText || !isTwice(L, Text))
      return false;
    for (const VectorAccess &A : Accesses) {
      const char *At = SM.getCharacterData(A.Call->getBeginLoc());
      if (At < Text.begin() || At >= Text.end())
        continue;
      V.Accesses.push_back(A);
      addBuffer(A, L, V.Buffers);
    }
    if (V.Buffers.empty() || V.Buffers.size() > MostBuffers)
      return false;
    Found.push_back(std::move(V));
    return true;
  }

  bool isTwice(const Stmt &L, StringRef Text) const {
    const CompoundStmt *Block = blockOf(L, S.Context);
    UniqueSearch Unique;
    Unique.TraverseStmt(const_cast<Stmt *>(&L));
    return Block && !Unique.Found &&
           beforeStatement(&L, *Block, S.Context).isInvalid() &&
           braceArmsPair(Text) && macrosHoldNoBrace(Text, S.Context) &&
           !Text.contains("R\"");
  }

  /// Adds the buffer that \p A is in, if the loop can name it in each build.
  void addBuffer(const VectorAccess &A, const Stmt &L,
                 std::vector<LoopVersions::Buffer> &Into) const {
    if (A.space() == LangAS::opencl_local)
      return;
    const ParmVarDecl *P = Aligned.buffer(A.Pointer, A.Lanes);
    if (!P || isHidden(P->getName()) ||
        armEndBetween(P->getLocation(), L.getBeginLoc(), S.Context).isValid())
      return;
    LoopVersions::Buffer New{P, spelledVector(A, S.Context)};
    if (none_of(Into, [&](const LoopVersions::Buffer &B) {
          return B.Parameter == P && B.Vector == New.Vector;
        }))
      Into.push_back(std::move(New));
  }

  /// The function's body declares \p Name, too.
  bool isHidden(StringRef Name) const {
    return isMacro(Name, S.Context) ||
           any_of(S.Function.decls(), [&](const Decl *D) {
             const auto *V = dyn_cast<VarDecl>(D);
             return V && !isa<ParmVarDecl>(V) && V->getName() == Name;
           });
  }
};

} // namespace

std::vector<LoopVersions> loopsIn(const Site &S,
                                  ArrayRef<VectorAccess> Accesses) {
  LoopSearch Search(S, Accesses);
  Search.TraverseStmt(S.Function.getBody());
  return std::move(Search.Found);
}

Edit versionsOf(const LoopVersions &L,
                function_ref<std::string(const VectorAccess &)> NameOf,
                const ASTContext &Context) {
  const std::string Indent = indentation(L.Loop->getBeginLoc(), Context),
                    Step = "  ";
  Edit Out = replacement(wholeStatement(L.Loop, Context), "", Context);
  const std::string Loop =
      text(wholeStatement(L.Loop, Context), Context).value_or("").str();
  std::string Whole = Loop;
  std::map<unsigned, Edit> Names;
  for (const VectorAccess &A : L.Accesses) {
    Edit Name = replacement(
        A.Call->getCallee()->IgnoreParenImpCasts()->getSourceRange(), NameOf(A),
        Context);
    Names[Name.Offset] = Name;
  }
  for (const auto &[Offset, Name] : reverse(Names))
    Whole.replace(Offset - Out.Offset, Name.Length, Name.Text);
  // A directive stays at the start of its line.
  auto shifted = [&](const std::string &Text) {
    std::string Shifted = indented(Text, Step);
    for (size_t At = 0;
         (At = Shifted.find("\n" + Step + "#", At)) != std::string::npos;)
      Shifted.erase(++At, Step.size());
    return Shifted;
  };
  std::string If;
  for (const LoopVersions::Buffer &B : L.Buffers)
    If += (If.empty() ? "if (" : " &&\n" + Indent + "    ") + "((uintptr_t)" +
          B.Parameter->getName().str() + " & (sizeof(" + B.Vector +
          ") - 1)) == 0";
  Out.Text = If + ") {\n" + Indent + Step + shifted(Whole) + "\n" + Indent +
             "} else {\n" + Indent + Step + shifted(Loop) + "\n" + Indent + "}";
  return Out;
}

} // namespace clrewrite::rewrite
