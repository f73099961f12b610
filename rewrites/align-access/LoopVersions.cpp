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
#include "frontend/RawTokens.h"
#include "rewrite/ast/Alignment.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
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

/// Tokens that an arm of an #if or a macro in a loop may not have: what could
/// end the loop, or what the two versions can't both have.
constexpr StringRef Unwanted[] = {
    "{",      "}",       "<%",       "%>",         "goto",        "asm",
    "local",  "__local", "constant", "__constant", "static",      "typedef",
    "struct", "union",   "enum",     "__asm",      "__COUNTER__", "extern"};

/// \p Text, a loop's, is one in every build: the arms of #if's stand in its
/// body's braces, and have no braces and no labels.
bool isLoopInEachBuild(StringRef Text) {
  std::vector<std::pair<size_t, StringRef>> Directives;
  for (StringRef Line : split(Text, '\n'))
    if (std::optional<StringRef> D = directive(Line))
      Directives.push_back({size_t(Line.data() - Text.data()), *D});
  int Arms = 0, Braces = 0;
  bool IsLoop = true;
  StringRef Before = "#", Last = "#"; // the tokens before
  size_t Next = 0;
  auto pass = [&](size_t At) {
    for (; Next < Directives.size() && Directives[Next].first <= At; ++Next) {
      StringRef D = Directives[Next].second;
      const bool IsArm =
          D.starts_with("if") || D.starts_with("el") || D.starts_with("endif");
      Arms += armsOpenedBy(D);
      IsLoop &= Braces > 0 && Arms >= 0 && (IsArm || D.starts_with("pragma")) &&
                !(D.starts_with("el") && !Arms);
      Before = Last = "#";
    }
  };
  const std::string Code = withoutDirectives(Text, /*KeepPragmas=*/false);
  frontend::eachRawToken(Code, [&](tok::TokenKind, size_t At, StringRef Token) {
    pass(At);
    const bool IsLabel = Token == ":" && isInWord(Last.back()) &&
                         is_contained({"#", ";", "{", "}", ")"}, Before);
    IsLoop &= !(Arms && (IsLabel || is_contained(Unwanted, Token)));
    Braces += Token == "{" ? 1 : Token == "}" ? -1 : 0;
    Before = Last;
    if (!Token.empty())
      Last = Token;
  });
  return IsLoop && !Arms && !Braces;
}

class LoopSearch : public DynamicRecursiveASTVisitor {
public:
  LoopSearch(const Site &S, const Elements &Names,
             ArrayRef<VectorAccess> Accesses)
      : S(S), Names(Names), Accesses(Accesses), Aligned(S.Function, S.Context) {
  }
  std::vector<LoopVersions> Found;

  bool TraverseForStmt(ForStmt *L) override {
    return add(*L) || DynamicRecursiveASTVisitor::TraverseForStmt(L);
  }
  bool TraverseWhileStmt(WhileStmt *L) override {
    return add(*L) || DynamicRecursiveASTVisitor::TraverseWhileStmt(L);
  }

private:
  const Site &S;
  const Elements &Names;
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
      if (!addBuffer(A, V.Buffers))
        return false;
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
    const auto *For = dyn_cast<ForStmt>(&L);
    const Stmt *Body = For ? For->getBody() : cast<WhileStmt>(L).getBody();
    // Without directives a body is what it is here.
    const bool HasDirective = any_of(split(Text, '\n'), [](StringRef Line) {
      return directive(Line).has_value();
    });
    return Block && !Unique.Found &&
           beforeStatement(&L, *Block, S.Context).isInvalid() &&
           (isa<CompoundStmt>(Body) || !HasDirective) &&
           isLoopInEachBuild(Text) && Names.macrosLack(Text, Unwanted) &&
           Names.macrosLack(Text, {":"}) && !Text.contains("R\"") &&
           !Text.contains("\\\n") && !Text.contains("\\\r") &&
           !Text.contains("?\?");
  }

  /// Adds the buffer that \p A is in; false where it is in none that the loop
  /// can name in each build.
  bool addBuffer(const VectorAccess &A,
                 std::vector<LoopVersions::Buffer> &Into) const {
    const ParmVarDecl *P = A.space() == LangAS::opencl_local
                               ? nullptr
                               : Aligned.buffer(A.Pointer, A.Lanes);
    if (!P || isMacro(P->getName(), S.Context) ||
        !Names.isDeclaredOnce(P->getName()) ||
        Names.isInArmOfFunction(P->getLocation()))
      return false;
    LoopVersions::Buffer New{P, spelledVector(A, S.Context)};
    if (none_of(Into, [&](const LoopVersions::Buffer &B) {
          return B.Parameter == P && B.Vector == New.Vector;
        }))
      Into.push_back(std::move(New));
    return true;
  }
};

} // namespace

std::vector<LoopVersions> loopsIn(const Site &S, const Elements &Names,
                                  ArrayRef<VectorAccess> Accesses) {
  LoopSearch Search(S, Names, Accesses);
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
