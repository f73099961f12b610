// share-window: overlapping vectors of a row become one load of the row, and
// the few elements beside it.
//
// Image filters load the neighbours of sixteen pixels as overlapping vectors:
//   a = vload16(0, p - 1), b = vload16(0, p), c = vload16(0, p + 1)
// vloadN promises the alignment of an element only, so a device without
// unaligned vector access loads all that element by element, and at most one of
// the three addresses is aligned. Here the row is loaded where it likely is:
//   const uchar16 row = sobel_load_uchar16(0, p);
//   a = (uchar16)(p[-1], row.s01234567, row.s89ab, row.scde), b = row, ...
//
// Where a loop moves a load through the row, it chooses by its variable.
//
// OverlappingLoads.h finds the loads. All of a function change together, as
// align-access does it, since the function that tests the address stands before
// it; what stays element by element beside the rows hides what they gain. The
// row is loaded by
//   tested  the whole access if the address says that it is aligned, else two
//           halves (WholeAccess.h);
//   vload   vloadN: for devices with unaligned vector access.
#include "OverlappingLoads.h"
#include "VectorLoads.h"
#include "rewrite/Rewrite.h"
#include "rewrite/affine/Polynomial.h"
#include "rewrite/ast/Alignment.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::share_window {
namespace {

bool loadsOverlap(const FunctionDecl &Node, ASTContext &Context) {
  return Node.doesThisDeclarationHaveABody() &&
         hasOverlap(Node, LoadObstacle::None, Context);
}

/// The first load that has the obstacle breaks the condition.
bool nameFirst(const Site &S, LoadObstacle O) {
  for (const VectorLoad &F : vectorLoads(S.Function, S.Context))
    if (F.Obstacle == O)
      return S.brokenBy(F.Access.Call);
  return false;
}

template <LoadObstacle O> bool someIsFreeOf(const Site &S) {
  return hasOverlap(S.Function, O, S.Context) || nameFirst(S, O);
}

std::vector<Window> windowsAt(const Site &S) {
  return windowsOf(S.Function, S.Context);
}

bool someRunTogether(const Site &S) {
  return !S.once<windowsAt>().empty() || nameFirst(S, LoadObstacle::None);
}

std::vector<Window> convertible(const Site &S) {
  std::vector<Window> List = S.once<windowsAt>();
  erase_if(List, [&](const Window &W) {
    return !namesAreOpenCL(W.Loads.front().Access, S.Context);
  });
  return List;
}

bool someIsConvertible(const Site &S) { return !S.once<convertible>().empty(); }

/// Count consecutive elements of \p Row from First on: "row.s4567, row.s89".
std::string lanes(const std::string &Row, unsigned First, unsigned Count) {
  std::string Out;
  for (unsigned Part : {8, 4, 3, 2, 1})
    while (Count >= Part) {
      Out += (Out.empty() ? "" : ", ") + Row + ".s";
      for (unsigned I = 0; I < Part; ++I)
        Out += hexdigit(First++, /*LowerCase=*/true);
      Count -= Part;
    }
  return Out;
}

/// Writes one alternative.
class Writer {
public:
  Writer(const Site &S, bool Tested)
      : S(S), Tested(Tested), Aligned(S.Function, S.Context),
        Whole(S.Function, S.Context) {}

  Alternative written() {
    Alternative Out;
    Out.Label = Tested ? "tested" : "vload";
    for (const Window &W : S.once<convertible>())
      add(W, Out.Changes);
    for (const auto &[Statement, Text] : Before) {
      Out.Changes.push_back(insertion(Text.At, Text.Rows, S.Context));
      if (Text.InBlock)
        continue;
      Edit Rest =
          replacement(wholeStatement(Statement, S.Context), "", S.Context);
      Out.Changes.push_back(Edit{Rest.end(), 0, " }"});
    }
    if (!Functions.empty())
      Out.Changes.push_back(
          definitionsBefore(S.Function, Functions, S.Context));
    return Out;
  }

private:
  const Site &S;
  bool Tested;
  Alignment Aligned;
  WholeAccess Whole;
  struct Declarations {
    SourceLocation At;
    bool InBlock;
    std::string Rows;
  };
  MapVector<const Stmt *, Declarations> Before;
  std::map<std::string, std::string> Functions;
  FreshNames Fresh{S};

  /// Where the row likely is aligned; else the pointer itself, or the first.
  int64_t rowOf(const Window &W) const {
    const VectorAccess &First = W.Loads.front().Access;
    int64_t N = W.lanes(), Rest = Aligned.likelyRest(First.Pointer, W.lanes()) +
                                  W.Step * W.Numbers.First;
    // The multiple of N that is the first one from the lowest on.
    int64_t Row = W.Lowest + ((-Rest - W.Lowest) % N + N) % N;
    return Row <= W.Highest ? Row : W.Lowest;
  }

  /// The load whose address is written anew: the row's own one, unless it names
  /// what the first one does not.
  const Window::Load &modelOf(const Window &W, int64_t Row) const {
    const Window::Load &First = W.Loads.front();
    auto It = find_if(W.Loads, [&](const Window::Load &L) {
      return L.Offset == Row &&
             !mentionsAny(L.Access.Call, [&](const VarDecl *V) {
               return !mentions(First.Access.Call, V);
             });
    });
    return It == W.Loads.end() ? First : *It;
  }

  struct Address {
    const Expr *Pointer = nullptr; ///< what is copied
    std::string Text;
    bool IsName = false;
  };

  /// The address that is \p Add elements above that of \p A, in the loop's
  /// first iteration if there is one.
  Address addressOf(const VectorAccess &A, int64_t Add, const Window &W) const {
    const Expr *Index = A.Call->getArg(0), *Bare = Index->IgnoreParenImpCasts();
    Address Out;
    std::string Text;
    if (std::optional<int64_t> N = numberIn(Index, /*FromMacros=*/false)) {
      Add += *N * A.Lanes;
    } else {
      bool Wide = S.Context.hasSameUnqualifiedType(Bare->getType(),
                                                   S.Context.getSizeType());
      Text = " + " + utostr(A.Lanes) + " * " + (Wide ? "" : "(size_t)") +
             spelledOperand(Bare, S.Context);
    }
    const Expr *P = A.Pointer->IgnoreParenImpCasts();
    auto moves = [&] { return W.Step && mentions(P, W.Numbers.Variable); };
    while (Add || moves()) {
      const auto *B = dyn_cast<BinaryOperator>(P);
      std::optional<int64_t> N;
      if (B && B->isAdditiveOp() && B->getLHS()->getType()->isPointerType() &&
          text(B->getLHS()->getSourceRange(), S.Context))
        N = numberOf(B->getRHS(), W);
      if (!N)
        break;
      Add += B->getOpcode() == BO_Sub ? -*N : *N;
      P = B->getLHS()->IgnoreParenImpCasts();
    }
    Out.Pointer = P;
    // In the iteration that is there already, if there is one.
    int64_t Number = W.Numbers.First;
    if (moves() && Add % W.Step == 0 && Number + Add / W.Step >= Number &&
        Number + Add / W.Step <= W.Numbers.Last)
      Number += std::exchange(Add, 0) / W.Step;
    if (Add)
      Text += (Add < 0 ? " - " : " + ") + utostr(uint64_t(std::abs(Add)));
    const auto *Sum = dyn_cast<BinaryOperator>(P);
    bool Fits = Text.empty() || (Sum && Sum->isAdditiveOp());
    Out.Text = spelledWith(P, Number, W);
    Out.Text = (Fits || spelledOperand(P, S.Context) == spelled(P, S.Context)
                    ? Out.Text
                    : "(" + Out.Text + ")") +
               Text;
    Out.IsName = Text.empty() && isa<DeclRefExpr>(P);
    return Out;
  }

  /// A number, or the loop's variable for its first one.
  static std::optional<int64_t> numberOf(const Expr *E, const Window &W) {
    return W.Step && isName(E, W.Numbers.Variable)
               ? W.Numbers.First
               : numberIn(E, /*FromMacros=*/false);
  }

  /// The text of \p E with \p Number for the loop's variable.
  std::string spelledWith(const Expr *E, int64_t Number,
                          const Window &W) const {
    if (!W.Step)
      return spelled(E, S.Context);
    std::string With = std::to_string(Number);
    return rewrite::spelledWith(
        E, W.Numbers.Variable, Number < 0 ? "(" + With + ")" : With, S.Context);
  }

  void add(const Window &W, Edits &Changes) {
    int64_t Row = rowOf(W);
    const Window::Load &Model = modelOf(W, Row);
    const VectorAccess &A = Model.Access;
    Address At = addressOf(A, Row - Model.Offset, W);
    std::string Indent = indentation(W.Begin, S.Context);
    std::string Type = spelledType(A.Vector, S.Context);

    Declarations &Into =
        Before.insert({W.Statement, {W.Begin, W.InBlock, ""}}).first->second;
    std::string &Text = Into.Rows;
    if (Text.empty() && !W.InBlock)
      Text = "{ ";
    for (const Window::Load &L : W.Loads)
      Text += commentsIn(L.Access.Call->getSourceRange(),
                         At.Pointer->getSourceRange(), Indent, S.Context);
    std::string Pointer = At.Text;
    if (!At.IsName) {
      Pointer = Fresh.named("row_at");
      Text += spelledPointer(A, S.Context) + Pointer + " = " + At.Text + ";\n" +
              Indent;
    }
    std::string Name = Fresh.named("row");
    std::string Load = "vload" + utostr(A.Lanes);
    if (Tested) {
      Load = Whole.name(A, WholeAccess::Form::Tested);
      Functions[Load] = Whole.function(A, WholeAccess::Form::Tested);
    }
    Text += "const " + Type + " " + Name + " = " + Load + "(0, " + Pointer +
            ");\n" + Indent;
    for (const Window::Load &L : W.Loads)
      Changes.push_back(replacement(L.Access.Call->getSourceRange(),
                                    chosen(W, L, Row, Type, Name, Pointer),
                                    S.Context));
  }

  /// The text that replaces the load \p L. Compilers that unroll a loop fold
  /// the choice in it.
  std::string chosen(const Window &W, const Window::Load &L, int64_t Row,
                     const std::string &Type, const std::string &Name,
                     const std::string &Pointer) const {
    int64_t From = L.Offset - Row;
    std::string Out;
    for (int64_t I = W.Numbers.First; I < W.Numbers.Last; ++I, From += W.Step)
      Out += W.Numbers.Variable->getNameAsString() +
             " == " + std::to_string(I) + " ? " +
             value(From, W.lanes(), Type, Name, Pointer) + " : ";
    std::string Last = value(From, W.lanes(), Type, Name, Pointer);
    // `(uchar16)(...).s0` would be a cast of the component.
    DynTypedNodeList Parents = S.Context.getParents(*L.Access.Call);
    bool IsBase = any_of(Parents, [](const DynTypedNode &Up) {
      return Up.get<ExtVectorElementExpr>() || Up.get<ArraySubscriptExpr>();
    });
    Out += Last;
    return W.Step || (IsBase && Out != Name) ? "(" + Out + ")" : Out;
  }

  /// The vector that is \p From elements above the row, by the row and elements
  /// beside it.
  static std::string value(int64_t From, int64_t N, const std::string &Type,
                           const std::string &Name,
                           const std::string &Pointer) {
    if (From == 0)
      return Name;
    SmallVector<std::string, 16> Parts;
    for (int64_t I = From; I < 0; ++I)
      Parts.push_back(Pointer + "[" + std::to_string(I) + "]");
    Parts.push_back(lanes(Name, unsigned(std::max<int64_t>(From, 0)),
                          unsigned(N - std::abs(From))));
    for (int64_t I = N; I < From + N; ++I)
      Parts.push_back(Pointer + "[" + std::to_string(I) + "]");
    return "(" + Type + ")(" + join(Parts, ", ") + ")";
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out;
  if (headOf(S.Function, S.Context))
    Out.push_back(Writer(S, /*Tested=*/true).written());
  Out.push_back(Writer(S, /*Tested=*/false).written());
  return Out;
}

} // namespace

const Rewrite &rewriteShareWindow() {
  static const Rewrite R{
      "share-window",
      "load overlapping vectors of a row once",
      Safety::Exact,
      sitesOf<FunctionDecl, loadsOverlap>,
      {{"of overlapping vloadN, all but one come from macros, or "
        "their offsets or types do",
        someIsFreeOf<LoadObstacle::Text>, WriteItOut},
       {"overlapping vloadN are of three elements or in private memory, where "
        "they are no aligned whole",
        someIsFreeOf<LoadObstacle::Memory>},
       {"the addresses of overlapping vloadN have side effects, or depend on "
        "memory",
        someIsFreeOf<LoadObstacle::Address>,
        "compute them in variables before"},
       {"overlapping vloadN may not all run, or something between them may "
        "change what they load",
        someRunTogether,
        "load them in statements of one block, one right behind the other"},
       {"the program gives another meaning to size_t, uintptr_t, vloadN or the "
        "vector's type",
        someIsConvertible, RenameOwn}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::share_window
