// hoist-invariant: what each round of a loop does alike is done once, before
// it.
//
// Compilers move expressions out of loops, but leave what fills private arrays
// and structures: a key schedule, the hash of a salt. The text is moved as it
// is. Unless the loop surely has a round, the run and the loop are put under
// the loop's own first question, so that nothing is done that was not done
// before:
//
//   if (0 < n) {
//     uint key[16];
//     schedule(key, w);
//   for (uint i = 0; i < n; ++i) {
//     ...
//   }
//   }
//
// The loop keeps its lines, so that other edits in it still fit.
#include "InvariantRun.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::hoist_invariant {
namespace {

bool isLoop(const Stmt &S, ASTContext &) { return loopParts(S).has_value(); }

LoopParts partsOf(const Site &S) { return *loopParts(*S.get<Stmt>()); }

template <bool Copies> InvariantRun runOf(const Site &S) {
  return invariantRun(partsOf(S), Copies, S.Function, S.Context);
}
/// The run without copies.
const InvariantRun &moved(const Site &S) { return S.once<runOf<false>>(); }
/// The same, or more, with them.
const InvariantRun &copied(const Site &S) { return S.once<runOf<true>>(); }

/// The run that the conditions are about.
const InvariantRun &run(const Site &S) {
  bool Moves = !moved(S).Statements.empty(),
       Copies = !copied(S).Statements.empty();
  return Moves || (!Copies && moved(S).Because) ? moved(S) : copied(S);
}

bool hasRun(const Site &S) {
  return !run(S).Statements.empty() || run(S).Because;
}

template <Stays Rule> bool isNot(const Site &S) {
  return run(S).Because != Rule || S.brokenBy(run(S).By);
}

bool notFromMacro(const Site &S) {
  SourceRange Whole = wholeStatement(partsOf(S).Loop, S.Context);
  return (Whole.isValid() && partsOf(S).Body->getLBracLoc().isFileID()) ||
         S.brokenBy(partsOf(S).Loop->getBeginLoc());
}

/// The loop as a statement of a block; null where it is none.
const CompoundStmt *blockAround(const Site &S) {
  DynTypedNodeList Parents = S.Context.getParents(*partsOf(S).Loop);
  return Parents.empty() ? nullptr : Parents[0].get<CompoundStmt>();
}

/// Sums and products are rounded alike in the loop and before it.
bool roundsAsBefore(const Site &S) {
  const CompoundStmt *Block = blockAround(S);
  return !Block ||
         Block->getStoredFPFeaturesOrDefault() ==
             partsOf(S).Body->getStoredFPFeaturesOrDefault() ||
         S.brokenBy(partsOf(S).Body->getLBracLoc());
}

bool startsAStatement(const Site &S) {
  const Stmt *Loop = partsOf(S).Loop;
  const CompoundStmt *Block = blockAround(S);
  SourceRange Head =
      Block ? beforeStatement(Loop, *Block, S.Context) : Loop->getBeginLoc();
  return S.unlessBroken(Head);
}

/// Looks for another thing of the name of a variable.
class OtherSearch : public DynamicRecursiveASTVisitor {
public:
  explicit OtherSearch(const VarDecl *V) : V(V) {}
  SourceRange Found;
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    return look(D->getDecl(), D->getSourceRange());
  }
  bool VisitNamedDecl(NamedDecl *D) override {
    return look(D, SourceRange(D->getLocation()));
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
    return look(T.getTypePtr()->getDecl(), T.getSourceRange());
  }

private:
  const VarDecl *V;
  bool look(const NamedDecl *D, SourceRange Where) {
    if (D->getCanonicalDecl() != V->getCanonicalDecl() &&
        D->getIdentifier() == V->getIdentifier())
      Found = Where;
    return Found.isInvalid();
  }
};

/// \p V has the only declaration of its name in the function or outside of all,
/// in every build.
bool isOnlyOne(const VarDecl *V, const Site &S) {
  auto isOther = [&](const Decl *D) {
    const auto *N = dyn_cast<NamedDecl>(D);
    return N && N != V && N->getIdentifier() == V->getIdentifier();
  };
  return none_of(S.Function.decls(), isOther) &&
         none_of(S.Context.getTranslationUnitDecl()->decls(), isOther) &&
         unseenName(V, S.Function.getBody()).isInvalid();
}

/// In the loop, each name that the run declares means that variable alone.
bool namesAreFree(const Site &S) {
  std::vector<const VarDecl *> All = moved(S).declared();
  append_range(All, copied(S).declared());
  return all_of(All, [&](const VarDecl *V) {
    OtherSearch Other(V);
    Other.TraverseStmt(const_cast<Stmt *>(partsOf(S).Loop));
    bool IsGlobal =
        any_of(S.Context.getTranslationUnitDecl()->decls(), [&](const Decl *D) {
          const auto *N = dyn_cast<NamedDecl>(D);
          return N && N->getIdentifier() == V->getIdentifier();
        });
    return (Other.Found.isInvalid() && !IsGlobal) ||
           S.brokenBy(IsGlobal ? SourceRange(V->getLocation()) : Other.Found);
  });
}

/// Asking once more whether there is a first round changes nothing, and gives
/// the same.
bool mayAskTwice(const Expr *E, const Site &S) {
  Effects Does = EffectsOf(S.Function).of(E);
  return !Does.More && isCopyable(E->getSourceRange(), S.Context) &&
         none_of(Does.Accesses, [](const Access &A) { return A.Write; });
}

/// The value of a comparison of two numbers that the text writes.
bool isTrue(const Expr *Left, BinaryOperatorKind Op, const Expr *Right,
            const Site &S) {
  if (!Left->getType()->isIntegerType() || !Right->getType()->isIntegerType() ||
      !isWrittenNumber(Left) || !isWrittenNumber(Right))
    return false;
  std::optional<int64_t> L = constant(Left, S.Context),
                         R = constant(Right, S.Context);
  if (!L || !R || *L < 0 || *R < 0)
    return false;
  return Op == BO_LT   ? *L < *R
         : Op == BO_LE ? *L <= *R
         : Op == BO_GT ? *L > *R
         : Op == BO_GE ? *L >= *R
                       : Op == BO_NE && *L != *R;
}

/// The text of \p Start, which becomes the value of \p V, with the value that V
/// has where it is compared with \p End. None where no text says that.
std::optional<std::string> startText(const Expr *Start, const VarDecl *V,
                                     const Expr *End, const Site &S) {
  std::string Text = spelledOperand(Start, S.Context);
  auto hasTypeOf = [&](const Expr *E) {
    return S.Context.hasSameUnqualifiedType(V->getType(),
                                            E->IgnoreImpCasts()->getType());
  };
  // A small int compares with each integer type as a value of that type does.
  std::optional<int64_t> Number = constant(Start->IgnoreImpCasts(), S.Context);
  bool Small = isWrittenNumber(Start) &&
               isInt(Start->IgnoreParenImpCasts()->getType(), S.Context) &&
               Number && *Number >= 0 && *Number < 128;
  if (hasTypeOf(Start) || (Small && V->getType()->isIntegerType() &&
                           !V->getType()->isBooleanType() && hasTypeOf(End)))
    return Text;
  // The type's own text leaves out what it points to.
  if (V->getType()->isPointerType())
    return std::nullopt;
  std::optional<StringRef> Type =
      text(V->getTypeSourceInfo()->getTypeLoc().getSourceRange(), S.Context);
  return Type ? std::optional("(" + Type->str() + ")" + Text) : std::nullopt;
}

/// \p E names a variable that \p D declares.
bool namesOne(const Expr *E, const DeclStmt *D) {
  return mentionsAny(E, [&](const VarDecl *V) {
    return any_of(D->decls(), [&](const Decl *Own) {
      return Own->getCanonicalDecl() == V;
    });
  });
}

/// What \p D sets \p V to; null where it does not declare it.
const Expr *startOf(const VarDecl *V, const DeclStmt *D) {
  for (const Decl *Each : D->decls())
    if (Each->getCanonicalDecl() == V)
      return cast<VarDecl>(Each)->getInit();
  return nullptr;
}

/// The question whether the loop has a round, as text before the loop; empty
/// where it surely has one. None where it can't be asked there.
std::optional<std::string> firstQuestion(const Site &S) {
  LoopParts P = partsOf(S);
  if (!P.AsksFirst || !P.Condition)
    return "";
  if (!P.Init)
    return mayAskTwice(P.Condition, S)
               ? std::optional(spelled(P.Condition, S.Context))
               : std::nullopt;
  // Without a round, the head of the loop is not run, either: it may set
  // nothing that is used behind the loop.
  const auto *D = dyn_cast<DeclStmt>(P.Init);
  const auto *B = dyn_cast<BinaryOperator>(P.Condition->IgnoreParens());
  if (!D || !all_of(D->decls(), [&](const Decl *Each) {
        const auto *V = dyn_cast<VarDecl>(Each);
        return V && (!V->getInit() || mayAskTwice(V->getInit(), S));
      }))
    return std::nullopt;
  if (!B || !B->isComparisonOp() || B->getOperatorLoc().isMacroID())
    return std::nullopt;
  for (const Expr *Side : {B->getLHS(), B->getRHS()}) {
    bool First = Side == B->getLHS();
    const Expr *End = First ? B->getRHS() : B->getLHS();
    const VarDecl *V = namedVariable(Side);
    const Expr *Start = V ? startOf(V, D) : nullptr;
    if (!Start || namesOne(Start, D) || namesOne(End, D) ||
        !mayAskTwice(End, S))
      continue;
    BinaryOperatorKind Op = B->getOpcode();
    if (isTrue(Start, First ? Op : BinaryOperator::reverseComparisonOp(Op), End,
               S))
      return "";
    std::optional<std::string> From = startText(Start, V, End, S);
    if (!From)
      continue;
    std::string To = spelledOperand(End, S.Context),
                By = " " + B->getOpcodeStr().str() + " ";
    return First ? *From + By + To : To + By + *From;
  }
  return std::nullopt;
}

bool canBeAsked(const Site &S) {
  return firstQuestion(S).has_value() || S.brokenBy(partsOf(S).Condition);
}

/// Writes the edits of one site.
class Writer {
public:
  Writer(const Site &S, const InvariantRun &Run)
      : S(S), Run(Run), Parts(partsOf(S)), Text(fileText(S.Context)),
        Indent(indentation(Parts.Loop->getBeginLoc(), S.Context)) {
    FreshNames Fresh(S);
    for (const VarDecl *V : Run.Copied) {
      std::string Name = Fresh.named(V->getNameAsString() + "_before");
      Originals[offset(V->getLocation())] = {V, Name};
      for (const Stmt *Each : Run.Statements)
        for (const DeclRefExpr *Use : namesOf(V, Each)) {
          StringRef Word = *text(Use->getSourceRange(), S.Context);
          Originals[unsigned(Word.begin() - Text.begin())] = {V, Name};
        }
    }
  }

  Alternative all() const {
    std::string Question = *firstQuestion(S);
    bool Wraps = !Question.empty() || !all_of(Run.declared(), [&](auto *V) {
      return isOnlyOne(V, S);
    });
    std::string Inner = Indent, New;
    if (Wraps)
      Inner += indentUnit(*Parts.Loop, S.Context);
    Alternative Out;
    Out.Label = Run.Copied.empty() ? "move" : "copy";
    for (const auto &[Begin, End] : pieces(/*Copied=*/true))
      New += Inner + indented(Begin, End, Inner) + "\n";
    for (const auto &[Begin, End] : pieces(/*Copied=*/false))
      Out.Changes.push_back(removed(Begin, End));
    for (const VarDecl *V : Run.Copied) {
      unsigned At = offset(V->getLocation());
      Out.Changes.push_back(Edit{At + unsigned(V->getName().size()), 0,
                                 " = " + Originals.at(At).second});
    }
    if (Wraps) {
      New = Indent + (Question.empty() ? "{" : "if (" + Question + ") {") +
            "\n" + New;
      Out.Changes.push_back(
          Edit{endOfLine(endOf(Parts.Loop)), 0, "\n" + Indent + "}"});
    }
    Out.Changes.push_back(insertion(
        Parts.Loop->getBeginLoc(),
        StringRef(New).drop_front(Indent.size()).str() + Indent, S.Context));
    return Out;
  }

private:
  const Site &S;
  const InvariantRun &Run;
  LoopParts Parts;
  StringRef Text;
  std::string Indent;
  /// The words of the run that name what the rounds copy, by their offsets, and
  /// the names of the originals.
  std::map<unsigned, std::pair<const VarDecl *, std::string>> Originals;

  unsigned offset(SourceLocation Loc) const {
    return S.Context.getSourceManager().getFileOffset(Loc);
  }
  unsigned endOf(const Stmt *St) const {
    SourceLocation Last = wholeStatement(St, S.Context).getEnd();
    return offset(Last) +
           Lexer::MeasureTokenLength(Last, S.Context.getSourceManager(),
                                     S.Context.getLangOpts());
  }

  /// The run as pieces of text, perhaps without the declarations of what is
  /// copied: statements that stand side by side are one, with the comments
  /// between them and behind them.
  std::vector<std::pair<unsigned, unsigned>> pieces(bool Copied) const {
    std::vector<std::pair<unsigned, unsigned>> Out;
    bool Joins = false;
    for (const Stmt *Each : Parts.Body->body()) {
      const auto *D = dyn_cast<DeclStmt>(Each);
      bool Here = is_contained(Run.Statements, Each) &&
                  (Copied || !D || !D->isSingleDecl() ||
                   !is_contained(Run.Copied, D->getSingleDecl()));
      unsigned Begin = offset(Each->getBeginLoc());
      if (Here && !Joins)
        Out.push_back({Begin, Begin});
      if (Here)
        Out.back().second = endOfComment(endOf(Each));
      Joins = Here;
    }
    return Out;
  }

  /// Behind the comment that ends the line of \p At, where nothing else
  /// follows.
  unsigned endOfComment(unsigned At) const {
    StringRef Rest = Text.drop_front(At).split('\n').first.rtrim();
    return Rest.ltrim().starts_with("//") && !Rest.ends_with("\\")
               ? At + unsigned(Rest.size())
               : At;
  }
  unsigned endOfLine(unsigned At) const {
    StringRef Rest = Text.drop_front(At).split('\n').first.rtrim();
    return Rest.empty() ? At : endOfComment(At);
  }

  /// The lines of a piece but the first begin with \p Inner where they began as
  /// the first one's line did.
  std::string indented(unsigned Begin, unsigned End, StringRef Inner) const {
    std::string Piece;
    unsigned At = Begin;
    for (auto It = Originals.lower_bound(Begin);
         It != Originals.end() && It->first < End; ++It) {
      const auto &[V, Name] = It->second;
      Piece += Text.slice(At, It->first).str() + Name;
      At = It->first + unsigned(V->getName().size());
    }
    Piece += Text.slice(At, End);
    StringRef Line = Text.take_front(Begin);
    StringRef Old =
        Line.drop_front(Line.rfind('\n') + 1).take_while([](char C) {
          return C == ' ' || C == '\t';
        });
    auto [Out, Rest] = StringRef(Piece).split('\n');
    std::string All = Out.rtrim('\r').str();
    while (!Rest.empty()) {
      // A string may go on there.
      const bool GoesOn = Out.rtrim('\r').ends_with("\\");
      std::tie(Out, Rest) = Rest.split('\n');
      Out = Out.rtrim('\r');
      All += "\n";
      if (!Out.trim().empty())
        All +=
            !GoesOn && Out.consume_front(Old) ? (Inner + Out).str() : Out.str();
    }
    return All;
  }

  /// Takes a piece away, with its lines and one empty line where nothing else
  /// stands on them.
  Edit removed(unsigned Begin, unsigned End) const {
    StringRef Before = Text.take_front(Begin), After = Text.drop_front(End);
    StringRef Lead = Before.drop_front(Before.rfind('\n') + 1),
              Tail = After.take_front(After.find('\n') + 1);
    if (!Lead.trim().empty() || !Tail.trim().empty() || Tail.empty())
      return {Begin, End - Begin, ""};
    unsigned From = Begin - unsigned(Lead.size()),
             To = End + unsigned(Tail.size());
    StringRef Next = Text.drop_front(To);
    Next = Next.take_front(Next.find('\n') + 1);
    if (!Next.empty() && Next.trim().empty())
      To += unsigned(Next.size());
    return {From, To - From, ""};
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out;
  if (!moved(S).Statements.empty())
    Out.push_back(Writer(S, moved(S)).all());
  if (!copied(S).Copied.empty())
    Out.push_back(Writer(S, copied(S)).all());
  return Out;
}

} // namespace

const Rewrite &rewriteHoistInvariant() {
  static const Rewrite R{
      "hoist-invariant",
      "do what is alike in each round of a loop once, before it",
      Safety::Exact,
      sitesOf<Stmt, isLoop>,
      {{"a round, or the loop, may end before the statements that are alike in "
        "each, or a label stands in it",
        isNot<Stays::Exit>, "move them in front of what ends it"},
       {"what is alike in each round reads memory that other work-items may "
        "write, and the loop may wait for them",
        isNot<Stays::Order>,
        "where they don't, copy it to private memory before the loop"},
       {"what is alike in each round reads memory that the loop may write",
        isNot<Stays::Memory>,
        "where it doesn't, copy it to private memory before the loop, or say "
        "so "
        "by restrict"},
       {"what is alike in each round comes from a macro, or a directive stands "
        "in it",
        isNot<Stays::Text>, WriteItOut},
       {"the loop comes from a macro", notFromMacro, WriteItOut},
       {"a pragma in the loop says how its arithmetic is rounded",
        roundsAsBefore, "put it before the loop"},
       {"before the loop stands what may be about it, or the loop is no "
        "statement of a block",
        startsAStatement, "put the loop into a block of its own"},
       {"a name of what is alike in each round means another thing in the "
        "loop, "
        "or outside of all functions",
        namesAreFree, "give the variable another name"},
       {"whether there is a first round can't be asked in front of the loop",
        canBeAsked, "write `for (int i = start; i < end; ++i)`"}},
      alternatives,
      /*Phase=*/0,
      /*Traits=*/0,
      hasRun};
  return R;
}

} // namespace clrewrite::rewrite::hoist_invariant
