// Finding runs of statements that repeat a group.
//
// A hash with the roles of its variables rotated, `a = f(a, b, c, d, x[0]);
// d = f(d, a, b, c, x[1]); ...`, repeats after four statements: a group is as
// many statements as it takes until the same variables are assigned again. So
// for each start and each period the groups are counted that unify with the
// first one, and the runs that save most statements are taken.
//
// Statements may come from macros. Then a group must begin and end where an
// expansion does, and what differs must be the macro's arguments.
#include "Repeats.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::reroll {
namespace {

constexpr size_t LongestPeriod = 32;
constexpr size_t LongestBlock = 400;
constexpr size_t MostSelects = 8;
/// Comparisons of statements for one block, so that a long one does not hold up
/// everything else.
constexpr size_t MostComparisons = 40000;
/// A group of fewer operations that reads no memory is not worth a loop.
constexpr unsigned FewestOperations = 6;

/// The bytes of a statement in the file, with its semicolon; of a macro's
/// expansion where it comes from one.
struct Bytes {
  unsigned Begin = 0, End = 0;
  bool Valid = false;
};

Bytes bytesOf(const Stmt *S, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Begin = SM.getExpansionLoc(S->getBeginLoc());
  SourceLocation Last = SM.getExpansionRange(S->getEndLoc()).getEnd();
  if (!SM.isInMainFile(Begin) || !SM.isInMainFile(Last))
    return {};
  SourceLocation After =
      Lexer::getLocForEndOfToken(Last, 0, SM, Context.getLangOpts());
  if (After.isInvalid())
    return {};
  Bytes B{SM.getFileOffset(Begin), SM.getFileOffset(After), true};
  std::optional<Token> Next =
      Lexer::findNextToken(Last, SM, Context.getLangOpts());
  // For Clang, `(float4)(x)` ends before its last parenthesis.
  while (Next && Next->is(tok::r_paren)) {
    B.End = SM.getFileOffset(Next->getEndLoc());
    Next = Lexer::findNextToken(Next->getLocation(), SM, Context.getLangOpts());
  }
  if (Next && Next->is(tok::semi))
    B.End = SM.getFileOffset(Next->getEndLoc());
  return B;
}

/// How much a group does.
class Work : public DynamicRecursiveASTVisitor {
public:
  unsigned Operations = 0;
  bool Reads = false;
  bool VisitBinaryOperator(BinaryOperator *) override {
    ++Operations;
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    ++Operations;
    Reads |= readsMemory(Call);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      Reads |= !storageOf(C->getSubExpr()).isPrivate();
    return true;
  }
};

/// Something that must not be put into a loop, or is unknown.
class EffectSearch : public DynamicRecursiveASTVisitor {
public:
  /// The first; null where there is none.
  const Stmt *Found = nullptr;
  bool VisitAsmStmt(AsmStmt *A) override { return stop(A); }
  bool VisitStmtExpr(StmtExpr *E) override { return stop(E); }
  bool VisitAtomicExpr(AtomicExpr *E) override { return stop(E); }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (!F || !F->getIdentifier())
      return stop(Call);
    if (F->hasBody(Body)) {
      if (Seen.insert(Body).second)
        TraverseStmt(Body->getBody());
      return !Found;
    }
    StringRef Name = F->getName();
    bool Stores = Name.starts_with("vstore") || Name.starts_with("write_image");
    bool Computes = F->hasAttr<ConstAttr>() || F->hasAttr<PureAttr>();
    if (!isBuiltinCall(Call) || F->hasAttr<ConvergentAttr>() ||
        Name.starts_with("__") || !(Stores || Computes))
      return stop(Call);
    return true;
  }

private:
  SmallPtrSet<const FunctionDecl *, 4> Seen;
  bool stop(const Stmt *At) {
    Found = At;
    return false;
  }
};

/// An array or a structure without a name, as `(int[2]){1, 2}`; null for none.
const Expr *compoundLiteralIn(const Stmt *S) {
  return firstIn<CompoundLiteralExpr>(S, [](const CompoundLiteralExpr *L) {
    // A vector's is a value, which nothing leads to.
    return !L->getType()->isVectorType();
  });
}

/// The statements of a block, and where it can be cut.
class Run {
public:
  Run(const CompoundStmt &Block, const ASTContext &Context) : Context(Context) {
    for (const Stmt *S : Block.body())
      if (!isa<NullStmt>(S))
        All.push_back(S);
    if (All.size() > LongestBlock)
      All.clear();
    for (const Stmt *S : All) {
      Places.push_back(bytesOf(S, Context));
      Works.push_back(searched(Work(), S));
    }
    const SourceManager &SM = Context.getSourceManager();
    auto offset = [&](SourceLocation L) {
      return SM.getFileOffset(SM.getExpansionLoc(L));
    };
    unsigned From = offset(Block.getLBracLoc());
    unsigned To = offset(Block.getRBracLoc());
    Cuts.assign(All.size() + 1, false);
    InMacro = Cuts;
    for (size_t I = 0; I <= All.size() && !All.empty(); ++I) {
      bool Before = I == 0 || Places[I - 1].Valid;
      bool After = I == All.size() || Places[I].Valid;
      unsigned Ends = I == 0 ? From + 1 : Places[I - 1].End;
      unsigned Begins = I == All.size() ? To : Places[I].Begin;
      Cuts[I] = Before && After && Ends <= Begins;
      // Between two statements of one expansion nothing can be written.
      InMacro[I] = !Cuts[I] && Before && After && isFromBody(I) &&
                   (I == 0 || isFromBody(I - 1));
    }
  }

  /// First those that can be written, so that what can't does not hide them.
  std::vector<Repeat> repeats() {
    std::vector<Repeat> Out;
    Taken.assign(All.size(), false);
    for (auto [Text, Within] : Passes) {
      OnlyText = Text;
      WithinMacros = Within;
      take(Out);
    }
    llvm::sort(Out, [](const Repeat &A, const Repeat &B) {
      return A.Begin < B.Begin;
    });
    return Out;
  }

  /// The run that repeats() found, by its first statement, the one of its
  /// second group, and its last.
  std::optional<Repeat> repeat(const Stmt *First, const Stmt *Next,
                               const Stmt *Last) {
    auto index = [&](const Stmt *S) {
      return size_t(find(All, S) - All.begin());
    };
    size_t Begin = index(First), Period = index(Next) - Begin;
    size_t Count = (index(Last) + 1 - Begin) / Period;
    for (auto [Text, Within] : Passes) {
      OnlyText = Text;
      WithinMacros = Within;
      if (std::optional<Repeat> R = repeat(Begin, Period, Count))
        return R;
    }
    return std::nullopt;
  }

private:
  const ASTContext &Context;
  std::vector<const Stmt *> All;
  std::vector<Bytes> Places;
  std::vector<Work> Works;
  std::vector<bool> Cuts;    ///< before each statement, and at the end
  std::vector<bool> InMacro; ///< as Cuts, but in a macro's body
  std::vector<bool> Taken;
  /// The passes of the search, as pairs of OnlyText and WithinMacros.
  static constexpr std::pair<bool, bool> Passes[] = {
      {true, false}, {false, false}, {false, true}};
  bool OnlyText = true, WithinMacros = false;
  size_t Comparisons = 0;

  struct Found {
    size_t First, Period, Count;
    size_t saved() const { return (Count - 1) * Period; }
  };

  Work workOf(size_t First, size_t Period) const {
    Work Sum;
    for (const Work &W : ArrayRef(Works).slice(First, Period)) {
      Sum.Operations += W.Operations;
      Sum.Reads |= W.Reads;
    }
    return Sum;
  }

  /// Declarations alone are there for what follows.
  bool isWorth(size_t First, size_t Period) const {
    Work W = workOf(First, Period);
    return (W.Operations >= FewestOperations ||
            (W.Reads && W.Operations > 1)) &&
           !all_of(group(First, Period),
                   [](const Stmt *S) { return isa<DeclStmt>(S); });
  }

  bool isFromBody(size_t I) const {
    return I == All.size() || All[I]->getBeginLoc().isMacroID();
  }

  bool isCut(size_t I) const { return Cuts[I] || (WithinMacros && InMacro[I]); }

  bool isFree(size_t First, size_t Count) const {
    for (size_t I = First; I < First + Count; ++I)
      if (Taken[I])
        return false;
    return true;
  }

  /// Adds the runs of statements that are not taken.
  void take(std::vector<Repeat> &Out) {
    std::vector<Found> List;
    // A part of a run is found again from every group on.
    auto known = [&](size_t First, size_t Period) {
      return any_of(List, [&](const Found &F) {
        return Period % F.Period == 0 && First < F.First + F.saved();
      });
    };
    for (size_t First = 0; First < All.size(); ++First)
      for (size_t Period = 1;
           Period <= LongestPeriod && First + 2 * Period <= All.size();
           ++Period)
        if (!known(First, Period))
          if (size_t Count = count(First, Period); Count > 1)
            List.push_back({First, Period, Count});
    llvm::sort(List, [](const Found &A, const Found &B) {
      return std::make_tuple(B.saved(), A.Period, A.First) <
             std::make_tuple(A.saved(), B.Period, B.First);
    });
    for (const Found &F : List) {
      if (!isFree(F.First, F.Period * F.Count))
        continue;
      if (std::optional<Repeat> R = repeat(F.First, F.Period, F.Count)) {
        std::fill_n(Taken.begin() + F.First, F.Period * R->Count, true);
        Out.push_back(std::move(*R));
      }
    }
  }

  Piece group(size_t First, size_t Period) const {
    return Piece(All.begin() + First, All.begin() + First + Period);
  }

  /// How many groups there are that are similar to the first one.
  size_t count(size_t First, size_t Period) {
    size_t At = First + Period, Count = 1;
    if (!isCut(First) || !isCut(At) || !isFree(First, 2 * Period) ||
        All[First]->getStmtClass() != All[At]->getStmtClass() ||
        !isWorth(First, Period))
      return 1;
    Piece Model = group(First, Period);
    for (; At + Period <= All.size() && isCut(At + Period) &&
           isFree(At, Period) && Comparisons < MostComparisons;
         At += Period) {
      bool Same =
          similarity({Model, group(At, Period)}, OnlyText, Context).has_value();
      Comparisons += Same ? Period : 1;
      if (!Same)
        break;
      ++Count;
    }
    return Count;
  }

  std::optional<Repeat> repeat(size_t First, size_t Period,
                               size_t Count) const {
    std::optional<Similarity> Groups;
    for (; Count > 1; --Count) {
      std::vector<Piece> Pieces;
      for (size_t I = 0; I < Count; ++I)
        Pieces.push_back(group(First + I * Period, Period));
      if ((Groups = similarity(Pieces, OnlyText, Context)))
        break;
    }
    if (!Groups)
      return std::nullopt;
    Repeat R;
    R.Statements = group(First, Period * Count);
    R.Period = Period;
    R.Count = Count;
    R.Groups = std::move(*Groups);
    R.Begin = Places[First].Begin;
    R.FirstEnd = Places[First + Period - 1].End;
    R.End = Places[First + Period * Count - 1].End;
    findProblems(R, First);
    return R;
  }

  void findProblems(Repeat &R, size_t First) const {
    const SourceManager &SM = Context.getSourceManager();
    Tables None;
    bool Whole = true;
    for (size_t I = 0; I <= R.Count; ++I)
      Whole &= Cuts[First + I * R.Period];
    const SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
    if (!Whole ||
        holdsDirective({Start.getLocWithOffset(int(R.Begin)),
                        Start.getLocWithOffset(int(R.End) - 1)},
                       Context) ||
        !chosenText(R.Begin, R.FirstEnd, R.Groups.Places, "i", None, Context))
      R.Problems[RepeatProblem::Text] = {};

    auto declared = [&](const VarDecl *V) {
      return is_contained(R.Groups.Declared, V);
    };
    for (size_t I = First + R.Statements.size(); I < All.size(); ++I)
      if (mentionsAny(All[I], declared))
        R.Problems.insert({RepeatProblem::Escapes, All[I]->getSourceRange()});
    // In a loop it would end with its round, and a pointer to it may not.
    const auto &Declared = R.Groups.Declared;
    const auto *F =
        Declared.empty()
            ? nullptr
            : dyn_cast<FunctionDecl>(Declared.front()->getDeclContext());
    const VariableSet Addressed = F ? addressTaken(*F) : VariableSet();
    for (const VarDecl *V : Declared) {
      if (!F || Addressed.contains(V))
        R.Problems.insert({RepeatProblem::Escapes, V->getSourceRange()});
      if (SourceRange Name = unseenName(V); Name.isValid())
        R.Problems.insert({RepeatProblem::Escapes, Name});
    }
    for (const Stmt *S : R.Statements)
      if (const Expr *Literal = compoundLiteralIn(S))
        R.Problems.insert({RepeatProblem::Escapes, Literal->getSourceRange()});

    EffectSearch Effects;
    bool Rounds = false;
    for (const Stmt *S : R.Statements) {
      Effects.TraverseStmt(const_cast<Stmt *>(S));
      Rounds |= roundsFreely(S);
    }
    if (Effects.Found)
      R.Problems[RepeatProblem::Effects] = Effects.Found->getSourceRange();
    // A loop that only chooses among variables holds all of them at once.
    bool Reads = workOf(First, R.Period).Reads;
    for (const Varied &V : R.Groups.Places) {
      if (Rounds && !V.InAddress)
        R.Problems.insert({RepeatProblem::Rounds, differing(V)});
      if ((R.Count > MostSelects || !Reads) && !all_of(V.Values, isNumber) &&
          chosenIsSelect(V))
        R.Problems.insert({RepeatProblem::Choice, differing(V)});
    }
  }

  static SourceRange differing(const Varied &V) {
    return V.Values.front()->getSourceRange();
  }

  /// No linear expression says it.
  bool chosenIsSelect(const Varied &V) const {
    Tables None;
    Edit At = replacement(V.Values.front()->getSourceRange(), "", Context);
    std::optional<std::string> Text =
        chosenText(At.Offset, At.end(), V, "i", None, Context);
    return !Text || StringRef(*Text).contains('?');
  }
};

} // namespace

std::vector<Repeat> repeatsOf(const CompoundStmt &Block,
                              const ASTContext &Context) {
  return Run(Block, Context).repeats();
}

std::optional<Repeat> repeatAt(const CompoundStmt &Block, const Stmt *First,
                               const Stmt *Next, const Stmt *Last,
                               const ASTContext &Context) {
  return Run(Block, Context).repeat(First, Next, Last);
}

} // namespace clrewrite::rewrite::reroll
