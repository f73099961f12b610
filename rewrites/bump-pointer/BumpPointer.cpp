// bump-pointer: an index that each iteration computes from the loop's counter
// becomes one that moves by a step.
//
//   for (int k = 0; k < n; ++k)
//     s += in[k * w + x];
// becomes
//   ulong at = (ulong)x;
//   for (int k = 0; k < n; ++k, at += (ulong)w)
//     s += in[(long)at];
//
// A pointer that moves could leave its object after the last iteration, which
// is not defined, and so could an int overflow. In ulong all of it wraps, and
// MovedIndex.h takes indices apart modulo 2^64, where products may be written
// out. Arrays with one index share the variable.
#include "rewrite/Rewrite.h"
#include "rewrite/affine/MovedIndex.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/LoopText.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::bump_pointer {
namespace {

/// An index that needs more than this beside a shared one moves on its own.
constexpr size_t MostBeside = 2;

/// More of them take more registers than they save.
constexpr size_t MostMovers = 8;

/// A variable that moves, and the indices that are written with it.
struct Mover {
  Polynomial Moving, Steady;
  std::string Name;
};

std::vector<MovedIndex> indicesOf(const ForStmt &Loop,
                                  const FunctionDecl &Function,
                                  ASTContext &Context,
                                  bool FromMacros = false) {
  std::optional<SteppedHead> H =
      steppedHead(Loop, Function, Context, FromMacros);
  if (!H)
    return {};
  std::vector<MovedIndex> All =
      movedIndices(Loop, *H, Function, Context, FromMacros);
  // Adding a constant to an index costs nothing.
  bool Costs = any_of(All, [](const MovedIndex &M) {
    return any_of(M.Moving,
                  [](const Monomial &Each) { return !Each.Leaves.empty(); });
  });
  return Costs ? std::move(All) : std::vector<MovedIndex>();
}

bool computesIndices(const ForStmt &Node, ASTContext &Context) {
  const FunctionDecl *Function =
      enclosingFunction(DynTypedNode::create(Node), Context);
  return Function &&
         !indicesOf(Node, *Function, Context, /*FromMacros=*/true).empty();
}

/// Some indices remain when those that come from macros are left out.
bool someAreText(const Site &S) {
  return !indicesOf(loopOf(S), S.Function, S.Context).empty();
}

bool isInBlock(const Site &S) {
  DynTypedNodeList Parents = S.Context.getParents(loopOf(S));
  return !Parents.empty() && Parents[0].get<CompoundStmt>();
}

bool isText(const Site &S) {
  const ForStmt &Loop = loopOf(S);
  if (Loop.getBeginLoc().isMacroID())
    return S.brokenBy(Loop.getBeginLoc());
  return isPlainText(Loop.getInc()->getSourceRange(), S);
}

bool ulongIsFree(const Site &S) {
  return !S.Context.Idents.get("ulong").hadMacroDefinition();
}

/// Writes one loop.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Loop(loopOf(S)), Head(*steppedHead(Loop, S.Function, S.Context)) {
  }

  /// Writes the alternative; none where a number grows too large to be computed
  /// with.
  std::optional<Alternative> run() {
    Alternative A;
    A.Label = "moved";
    for (const MovedIndex &M : indicesOf(Loop, S.Function, S.Context)) {
      std::optional<Polynomial> Beside;
      const Mover &By = moverOf(M, Beside);
      if (!Beside || !addTo(*Beside, M.Inner, 1, S.Context))
        return std::nullopt;
      std::string Text = By.Name;
      if (!Beside->empty())
        Text = "(" + Text + " + " + ulongText(*Beside, S.Context) + ")";
      A.Changes.push_back(
          replacement(M.Index->getSourceRange(), "(long)" + Text, S.Context));
    }
    std::string Before, Steps;
    for (const Mover &M : Movers) {
      std::optional<Polynomial> First =
          productOf(M.Moving, Head.Start, S.Context);
      Polynomial Step;
      if (!First || !addTo(*First, M.Steady, 1, S.Context) ||
          !addTo(Step, M.Moving, Head.Step, S.Context))
        return std::nullopt;
      Before += "ulong " + M.Name + " = " + ulongText(*First, S.Context) +
                ";\n" + indentation(Loop.getBeginLoc(), S.Context);
      Steps += ", " + M.Name + " += " + ulongText(Step, S.Context);
    }
    A.Changes.push_back(insertion(Loop.getBeginLoc(), Before, S.Context));
    const Expr *Inc = Loop.getInc();
    A.Changes.push_back(replacement(
        Inc->getSourceRange(), spelled(Inc, S.Context) + Steps, S.Context));
    return A;
  }

  /// How many new variables run() made.
  size_t movers() const { return Movers.size(); }

private:
  const Site &S;
  const ForStmt &Loop;
  SteppedHead Head;
  std::vector<Mover> Movers;

  /// A pointer whose stride is that of \p M; \p Beside becomes the
  /// loop-invariant difference between it and \p M.
  const Mover &moverOf(const MovedIndex &M, std::optional<Polynomial> &Beside) {
    for (const Mover &Each : Movers) {
      Polynomial Moves = M.Moving, Rest = M.Steady;
      bool Same = addTo(Moves, Each.Moving, -1, S.Context) && Moves.empty();
      if (!Same || !addTo(Rest, Each.Steady, -1, S.Context) ||
          Rest.size() > MostBeside)
        continue;
      Beside = std::move(Rest);
      return Each;
    }
    std::string Stem = {'a', 't', '_', char('a' + Movers.size())};
    Beside = Polynomial();
    return Movers.emplace_back(Mover{M.Moving, M.Steady, freshLocal(Stem, S)});
  }
};

bool stepsAreSmall(const Site &S) { return Writer(S).run().has_value(); }

bool moversAreFew(const Site &S) {
  Writer W(S);
  W.run();
  return W.movers() <= MostMovers;
}

std::vector<Alternative> alternatives(const Site &S) {
  return {*Writer(S).run()};
}

} // namespace

const Rewrite &rewriteBumpPointer() {
  static const Rewrite R{
      "bump-pointer",
      "move an index by a step instead of computing it in each iteration",
      Safety::Exact,
      sitesOf<ForStmt, computesIndices>,
      {{"the loop's step or start, or each index, has something of a macro's "
        "body in it",
        someAreText, WriteItOut},
       {"the loop is the body of another statement, without braces around it",
        isInBlock, "put the loop into braces"},
       {"the loop's head comes from a macro", isText, WriteItOut},
       {"ulong is a macro in this program", ulongIsFree, RenameOwn},
       LoopIsNotEntered,
       {"an index moves by a step of more than 2^24", stepsAreSmall},
       {"more than 8 indices move by steps of their own", moversAreFew,
        "split the loop"}},
      alternatives,
      /*Phase=*/1};
  return R;
}

} // namespace clrewrite::rewrite::bump_pointer
