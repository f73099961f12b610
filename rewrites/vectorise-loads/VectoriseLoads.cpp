// vectorise-loads: what turns of a loop read one after the other is read as a
// vector for several turns at once.
//
//   for (int j = 0; j < n; j++)
//     sum += a[i * n + j] * x[j];
// reads neighbours of a row in n loads. Where the work-items of a wave have a
// row each, every one of these loads touches a line for each of them, and four
// turns touch the same lines four times. A vector of four touches them once. No
// compiler may load one unless it knows the address to be a multiple of the
// vector's size. The turns before the first such address, and those that are
// left over in the end, run as they did. Where two runs are read as vectors,
// both addresses are tested, and the loop runs as it was where one is none.
#include "rewrite/Rewrite.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/LoopPlaces.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/LoopText.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::vectorise_loads {
namespace {

/// The widest access that GPUs have for one work-item, in bytes.
constexpr unsigned WidestAccess = 16;
/// Of a loop with more runs than this, no single run is read as vectors alone.
constexpr size_t MostApart = 3;

/// A run of elements that the loop reads.
struct LoadRun {
  const Expr *Place = nullptr; ///< where it is named first
  /// All places in the loop that read it, this one too.
  std::vector<const Expr *> Names;
  ElementRun Run;
  unsigned Bytes = 0; ///< of an element
};

struct LoadRuns {
  std::optional<CountedLoop> Head;
  std::vector<LoadRun> Runs;
  /// The first code that the analysis can't cope with, null for none: what asks
  /// other work-items or has other effects, and a write that may change what is
  /// read ahead.
  const Stmt *More = nullptr, *Written = nullptr;
};

/// The size of a scalar of which OpenCL C has vectors everywhere; 0 for other
/// types, and for those whose size depends on the device.
unsigned scalarBytes(QualType T, const ASTContext &Context) {
  const auto *B = T->getAs<clang::BuiltinType>();
  bool IsScalar = B && (B->isInteger() || B->getKind() == BuiltinType::Float ||
                        B->getKind() == BuiltinType::Double);
  if (!IsScalar || B->isBooleanType() || hasDevicesWidth(T))
    return 0;
  unsigned Bytes = unsigned(Context.getTypeSizeInChars(T).getQuantity());
  return Bytes <= 8 ? Bytes : 0;
}

/// Which numbers of turns a vector may serve, where its elements are so large.
std::vector<unsigned> widthsFor(unsigned Bytes) {
  unsigned Most = WidestAccess / Bytes;
  return Most > 4 ? std::vector<unsigned>{Most, 4}
                  : std::vector<unsigned>{Most};
}

/// Tells whether neighbouring lanes of a wave access elements that are less
/// than a vector apart, as in `in[i + j]` where i is an id: then few lanes have
/// an address that is a multiple of the vector's size.
class LaneSteps {
public:
  LaneSteps(const FunctionDecl &Function, const ASTContext &Context)
      : Context(Context), InFunction(Function.getBody(), Function, Context) {}

  bool isIn(const ElementRun &Run, unsigned Width) const {
    auto isStep = [&](const Monomial &M) {
      return M.Leaves.size() == 1 && std::abs(M.Factor) < int64_t(Width) &&
             stepsByOne(M.Leaves[0]);
    };
    return any_of(Run.Offset, isStep) || stepsByOne(Run.Base);
  }

private:
  const ASTContext &Context;
  Invariance InFunction;

  /// \p E is an id along the first dimension, added to something perhaps.
  bool stepsByOne(const Expr *E) const {
    E = E->IgnoreParenCasts();
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      llvm::StringRef Name = calleeName(Call);
      return (Name == "get_global_id" || Name == "get_local_id") &&
             Call->getNumArgs() == 1 &&
             constant(Call->getArg(0), Context) == int64_t(0);
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return B->isAdditiveOp() &&
             (stepsByOne(B->getLHS()) || stepsByOne(B->getRHS()));
    const VarDecl *V = namedVariable(E);
    return V && V->getInit() && InFunction.keeps(V) &&
           !mentions(V->getInit(), V) && stepsByOne(V->getInit());
  }
};

class Search {
public:
  explicit Search(const Site &S)
      : S(S), Places(loopOf(S), S.Function, S.Context), Asked(S.Function),
        Does(Asked.of(&loopOf(S))), Lanes(S.Function, S.Context) {}

  LoadRuns run() {
    Out.Head = Places.head();
    // Where a loop within it accesses memory that others see, that one is where
    // vectors pay, and the code around it would be long.
    if (!Out.Head || firstIn<Stmt>(loopOf(S).getBody(), [&](const Stmt *Each) {
          return isa<ForStmt, WhileStmt, DoStmt>(Each) &&
                 any_of(Asked.of(Each).Accesses,
                        [](const Access &A) { return A.Where.isShared(); });
        }))
      return std::move(Out);
    Out.More =
        Does.More ? Does.More : asksOthers(&loopOf(S), /*OrOrders=*/true);
    for (const Access &A : Does.Accesses)
      if (!A.Write)
        addLoad(A);
    return std::move(Out);
  }

private:
  const Site &S;
  LoopPlaces Places;
  EffectsOf Asked;
  Effects Does;
  LaneSteps Lanes;
  LoadRuns Out;

  void addLoad(const Access &A) {
    const auto *Load = dyn_cast<ImplicitCastExpr>(A.By);
    if (!Load || Load->getCastKind() != CK_LValueToRValue)
      return;
    const Expr *Place = Load->getSubExpr()->IgnoreParens();
    QualType T = Place->getType();
    LangAS Space = T.getAddressSpace();
    unsigned Bytes = scalarBytes(T, S.Context);
    if (!Bytes || T.isVolatileQualified() ||
        (Space != LangAS::opencl_global && Space != LangAS::opencl_constant))
      return;
    std::optional<ElementRun> Run = Places.runOf(Place);
    if (!Run || Lanes.isIn(*Run, widthsFor(Bytes).back()) ||
        !Places.isInEachTurn(Place))
      return;
    for (const Access &Other : Does.Accesses)
      if (Other.Write && Asked.mayMeet(Other.Where, A.Where) && !Out.Written)
        Out.Written = Other.By;
    for (LoadRun &Known : Out.Runs)
      if (sameExpression(Known.Place, Place, S.Context)) {
        if (!is_contained(Known.Names, Place))
          Known.Names.push_back(Place);
        return;
      }
    Out.Runs.push_back({Place, {Place}, std::move(*Run), Bytes});
  }
};

LoadRuns find(const Site &S) { return Search(S).run(); }
const LoadRuns &found(const Site &S) { return S.once<find>(); }

/// The turns of the loop, where they are a number.
std::optional<int64_t> turnsOf(const CountedLoop &Head,
                               const ASTContext &Context) {
  std::optional<int64_t> First = constant(Head.Start, Context),
                         End = constant(Head.End, Context);
  if (!First || !End)
    return std::nullopt;
  return *End - *First + Head.isInclusive();
}

bool hasRun(const Site &S) {
  const LoadRuns &F = found(S);
  if (F.Runs.empty())
    return false;
  std::optional<int64_t> Turns = turnsOf(*F.Head, S.Context);
  return !Turns || *Turns >= 4;
}

bool isAlone(const Site &S) { return S.unlessBroken(found(S).More); }

bool keepsWhatIsRead(const Site &S) { return S.unlessBroken(found(S).Written); }

/// Which runs are read as vectors, of how many elements.
struct Choice {
  std::vector<const LoadRun *> Runs;
  unsigned Width;
  /// The width divides the turns, a number, and the first addresses are
  /// multiples of the vectors' sizes, or the loop runs as it was: no turn runs
  /// before the first vector or behind the last, so that compilers can unroll
  /// the loop as before.
  bool Whole = false;
};

/// Writes one loop, with some of its runs read as vectors.
class Writer {
public:
  Writer(const Site &S, const Choice &C)
      : S(S), Head(*found(S).Head), Runs(C.Runs), Width(C.Width),
        Whole(C.Whole), Indent(indentation(loopOf(S).getBeginLoc(), S.Context)),
        Step(indentUnit(loopOf(S), S.Context)) {
    FreshNames Fresh(S, Scope::Closed);
    for (size_t I = 0; I < this->Runs.size(); ++I)
      Ahead.push_back(Fresh.named("ahead"));
    Turn = Fresh.named("turn");
  }

  std::string written() const {
    const ForStmt &Loop = loopOf(S);
    const bool Block = Head.Declares;
    const std::string Deep = Block ? Step : "", In = "\n" + Indent + Deep;
    std::string Out = Block ? "{" + In : "";
    Out += text(Loop.getInit()->getSourceRange(), S.Context)->str();
    Out += isa<DeclStmt>(Loop.getInit()) ? "" : ";";
    if (isPeeled())
      Out += In + peelingHead(Indent + Deep) + attached(originalBody(), Deep);
    Out += In + "if (" + test(Indent + Deep) + ")" + In + Step + "do {";
    const std::string Inner = In + Step + Step;
    for (size_t I = 0; I < Runs.size(); ++I) {
      Out +=
          Inner + type(*Runs[I]) + " " + Ahead[I] + "[" + number(Width) + "];";
      Out += Inner + "vstore" + number(Width) + "(*(" + pointer(*Runs[I]) +
             ")" + address(*Runs[I]) + ", 0, " + Ahead[I] + ");";
    }
    Out += Inner + "for (int " + Turn + " = 0; " + Turn + " < " +
           number(Width) + "; " + Turn + "++, " + variable() + "++)" +
           attached(bodyAhead(), Deep + Step + Step);
    Out += In + Step + "} while (" + (Whole ? isReached() : moreTurns()) + ");";
    if (Whole)
      Out += In + "else";
    Out +=
        In + (Whole ? Step : "") + indented(rest(), Whole ? Deep + Step : Deep);
    return Block ? Out + "\n" + Indent + "}" : Out;
  }

  /// All that is written has a text.
  bool isWritten() const {
    written();
    return !Lost;
  }

  /// The types that are written mean the language's.
  bool meansOpenCL() const {
    return all_of(Runs, [&](const LoadRun *R) {
      return keepsMeaning(type(*R), S) && keepsMeaning(vector(*R), S);
    });
  }

private:
  const Site &S;
  const CountedLoop &Head;
  std::vector<const LoadRun *> Runs;
  unsigned Width;
  bool Whole;
  std::string Indent, Step; ///< of the loop's line, and of one level
  std::vector<std::string> Ahead;
  std::string Turn;
  mutable bool Lost = false;

  static std::string number(unsigned N) { return std::to_string(N); }
  std::string variable() const { return Head.Variable->getNameAsString(); }

  std::string type(const LoadRun &R) const {
    QualType T = R.Place->getType().getCanonicalType().getUnqualifiedType();
    // The vectors of signed char are those of char.
    return T->isSpecificBuiltinType(BuiltinType::SChar)
               ? "char"
               : spelledType(T, S.Context);
  }

  std::string vector(const LoadRun &R) const { return type(R) + number(Width); }

  std::string pointer(const LoadRun &R) const {
    bool Constant =
        R.Place->getType().getAddressSpace() == LangAS::opencl_constant;
    return "const " + std::string(Constant ? "__constant " : "__global ") +
           vector(R) + " *";
  }

  /// What \p E is in the turn that the variable is at.
  std::string spelledNow(const Expr *E) const {
    TurnText T(S, loopOf(S), Head, rewrite::Turn::Any);
    std::string Out = T.of(E);
    Lost |= T.isLost();
    return Out;
  }

  std::string address(const LoadRun &R) const {
    return "&" + spelledNow(R.Place);
  }

  /// One run is all, so that the turns before its first vector may run apart.
  bool isPeeled() const { return Runs.size() == 1 && !Whole; }

  /// The turn that the variable is at is one of the loop's.
  std::string isReached() const {
    return variable() + (Head.isInclusive() ? " <= " : " < ") +
           spelledOperand(Head.End, S.Context);
  }

  /// The element that this turn reads is not the first of a vector. No multiple
  /// of the width is so close to 2^32 that the indices behind it wrap.
  std::string isBetween() const {
    const LoadRun &R = *Runs.front();
    return R.Run.Wraps ? remainder(R) + " != 0"
                       : "(" + lowBits(R, address(R)) + ") != 0";
  }
  std::string remainder(const LoadRun &R) const {
    return "(" + spelledNow(R.Run.Index) + ") % " + number(Width);
  }
  std::string lowBits(const LoadRun &R, const std::string &Address) const {
    return "(uintptr_t)" + Address + " & (sizeof(" + vector(R) + ") - 1)";
  }

  /// The head of the loop over the turns before the first vector, which stands
  /// \p In: on one line, or two.
  std::string peelingHead(StringRef In) const {
    std::string First = "for (; " + isReached() + " &&";
    std::string Second = isBetween() + "; " + variable() + "++)";
    bool Fits = In.size() + First.size() + 1 + Second.size() <= 80;
    return First + (Fits ? " " : "\n" + In.str() + "     ") + Second;
  }

  /// \p Body behind the head of a loop that stands \p Deep in the site's lines.
  std::string attached(StringRef Body, StringRef Deep) const {
    bool IsBlock = isa<CompoundStmt>(loopOf(S).getBody());
    return (IsBlock ? " " : "\n" + Indent + Deep.str() + Step) +
           indented(Body, Deep);
  }

  /// There are Width turns left or more. Where the variable is 0 or more a
  /// signed difference of the end and it does not overflow, nor does it of an
  /// unsigned end that the variable has not passed.
  std::string moreTurns() const {
    Lost |= !text(Head.End->getSourceRange(), S.Context);
    std::string End = spelledOperand(Head.End, S.Context);
    bool Converted = !startsAtNumber() && isSigned();
    if (Converted)
      End = "(" + unsignedName() + ")" + End;
    // The variable may have passed the end by one, and the number of a macro
    // may be unsigned in another build.
    bool Counts =
        Head.isInclusive() &&
        (Converted || isMacro(spelled(Head.End, S.Context), S.Context));
    return End + " - " + variable() + (Counts ? " + 1" : "") + " > " +
           number(Width - 1 - (Head.isInclusive() && !Counts));
  }

  bool isSigned() const {
    return intType(Head.Variable->getType(), S.Context)->Signed;
  }
  std::string unsignedName() const {
    bool Long = intType(Head.Variable->getType(), S.Context)->Bits > 32;
    return Long ? "ulong" : "uint";
  }
  /// Which is not negative.
  bool startsAtNumber() const {
    int64_t Value = constant(Head.Start, S.Context).value_or(-1);
    return isWrittenNumber(Head.Start) && Value >= 0 && Value <= INT32_MAX;
  }
  bool startsAtZero() const {
    return startsAtNumber() && constant(Head.Start, S.Context) == int64_t(0);
  }

  std::string test(StringRef In) const {
    std::string Break = " &&\n" + In.str() + Step + Step;
    std::string Out;
    auto add = [&](const std::string &Condition) {
      Out += (Out.empty() ? "" : Break) + Condition;
    };
    // A macro may be another number in another build.
    const bool IsKnown =
        isWrittenNumber(Head.Start) && isWrittenNumber(Head.End);
    if (Whole && !IsKnown)
      Out = isReached() + " && (" + spelledOperand(Head.End, S.Context) +
            " - " + variable() + (Head.isInclusive() ? " + 1" : "") + ") % " +
            number(Width) + " == 0";
    else if (!Whole)
      Out = (startsAtZero() ? "" : isReached() + " && ") + moreTurns();
    for (const LoadRun *R : Runs) {
      if (R->Run.Wraps)
        add("(" + lowBits(*R, "(" + spelledNow(R->Run.Base) + ")") + ") == 0");
      if (!isPeeled())
        add((R->Run.Wraps ? remainder(*R)
                          : "(" + lowBits(*R, address(*R)) + ")") +
            " == 0");
    }
    return Out;
  }

  StringRef originalBody() const {
    SourceRange Statement = wholeStatement(loopOf(S).getBody(), S.Context);
    StringRef Text = text(Statement, S.Context).value_or("");
    Lost |= Text.empty();
    return Text;
  }

  /// The body, which reads what was loaded.
  std::string bodyAhead() const {
    Edits Names;
    for (size_t I = 0; I < Runs.size(); ++I)
      for (const Expr *Name : Runs[I]->Names) {
        if (!isPlainText(Name->getSourceRange(), S.Context))
          Lost = true;
        Names.push_back(replacement(Name->getSourceRange(),
                                    Ahead[I] + "[" + Turn + "]", S.Context));
      }
    return edited(originalBody(), Names, S.Context);
  }

  /// The loop from where its variable is.
  std::string rest() const {
    const ForStmt &Loop = loopOf(S);
    // A declaration has its semicolon, an expression has not.
    return edited(
        *text(wholeStatement(&Loop, S.Context), S.Context),
        {replacement(Loop.getInit()->getSourceRange(),
                     isa<DeclStmt>(Loop.getInit()) ? ";" : "", S.Context)},
        S.Context);
  }
};

/// The addresses of \p A and \p B differ by a number of elements that is no
/// multiple of a vector's.
bool areNeverBoth(const LoadRun &A, const LoadRun &B,
                  const ASTContext &Context) {
  Polynomial Distance = A.Run.Offset;
  return sameExpression(A.Run.Base, B.Run.Base, Context) &&
         addTo(Distance, B.Run.Offset, -1, Context) && Distance.size() == 1 &&
         Distance.front().Leaves.empty() &&
         Distance.front().Factor % widthsFor(std::max(A.Bytes, B.Bytes)).back();
}

/// Which runs may be read as vectors, the preferred choice first.
std::vector<Choice> choose(const Site &S) {
  const LoadRuns &F = found(S);
  const std::optional<int64_t> Turns = turnsOf(*F.Head, S.Context);
  std::vector<Choice> Out;
  auto add = [&](std::vector<const LoadRun *> Runs) {
    unsigned Bytes = 0;
    for (const LoadRun *R : Runs)
      Bytes = std::max(Bytes, R->Bytes);
    for (unsigned Width : widthsFor(Bytes)) {
      if (Turns && *Turns % Width == 0)
        Out.push_back({Runs, Width, /*Whole=*/true});
      if (!Turns || *Turns >= Width)
        Out.push_back({Runs, Width});
    }
  };
  std::vector<const LoadRun *> All;
  for (const LoadRun &R : F.Runs)
    if (none_of(All, [&](const LoadRun *Other) {
          return areNeverBoth(R, *Other, S.Context);
        }))
      All.push_back(&R);
  add(All);
  if (F.Runs.size() > 1 && F.Runs.size() <= MostApart)
    for (const LoadRun &R : F.Runs)
      if (All.size() > 1 || All.front() != &R)
        add({&R});
  return Out;
}

const std::vector<Choice> &choices(const Site &S) { return S.once<choose>(); }

bool isShort(const Site &S) {
  constexpr size_t Most = 2000;
  const Stmt *Body = loopOf(S).getBody();
  return text(Body->getSourceRange(), S.Context).value_or("").size() <= Most ||
         S.brokenBy(SourceRange(Body->getBeginLoc()));
}

bool isSpelled(const Site &S) {
  return all_of(choices(S), [&](const Choice &C) {
    return Writer(S, C).isWritten() || S.brokenBy(C.Runs.front()->Place);
  });
}

bool namesAreOwn(const Site &S) {
  return all_of(
             std::initializer_list<const char *>{"uintptr_t", "uint", "ulong"},
             [&](const char *Name) { return keepsMeaning(Name, S); }) &&
         all_of(choices(S), [&](const Choice &C) {
           std::string Store = "vstore" + std::to_string(C.Width);
           return meansBuiltin(Store, S.Context) && keepsMeaning(Store, S) &&
                  Writer(S, C).meansOpenCL();
         });
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out;
  for (const Choice &C : choices(S)) {
    Alternative A;
    A.Label = "by-" + std::to_string(C.Width);
    if (C.Runs.size() == 1 && found(S).Runs.size() > 1)
      A.Label += "-" + std::to_string(C.Runs.front() - &found(S).Runs[0] + 1);
    if (C.Whole)
      A.Label += "-whole";
    A.Remark = "vectors, where the address is a multiple of their size";
    A.Explains = true;
    A.Changes = {replacement(wholeStatement(&loopOf(S), S.Context),
                             Writer(S, C).written(), S.Context)};
    Out.push_back(std::move(A));
  }
  return Out;
}

} // namespace

const Rewrite &rewriteVectoriseLoads() {
  static const Rewrite R{
      "vectorise-loads",
      "load the elements that turns of a loop read one after the other as "
      "vectors",
      Safety::Exact,
      sitesOf<ForStmt, standsInBlock>,
      loopIsCopied(
          {runsAllTurns(),
           {"the loop waits for other work-items, accesses volatile memory, "
            "has other effects, or calls what can't be looked into",
            isAlone},
           {"the loop writes what may be the memory that it reads",
            keepsWhatIsRead,
            "declare the pointers restrict where the host passes buffers that "
            "do not overlap"},
           {"the body of the loop, which would stand there three times, is "
            "long",
            isShort, "put it into a function"},
           {"an address or the end of the loop can't be written in front of "
            "it: a part of it is no text of its own",
            isSpelled, "put it into a variable before the loop"},
           {"the program gives another meaning to uintptr_t, uint, ulong, a "
            "vector or the vstoreN that is written",
            namesAreOwn, RenameOwn}}),
      alternatives,
      /*Phase=*/0,
      HoldsElsewhere,
      hasRun};
  return R;
}

} // namespace clrewrite::rewrite::vectorise_loads
