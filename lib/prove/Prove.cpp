// Two executions, and what they have in common.
#include "prove/Prove.h"
#include "prove/Diverge.h"
#include "prove/Execute.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::prove {
namespace {

/// What the original does that may be undefined, for comparing.
class Allowed {
public:
  Allowed(Graph &G, const std::vector<Record> &Records) : G(G) {
    for (const Record &R : Records) {
      auto [Linear, Offset] = split(R.What);
      ByTerm[Linear].push_back({&R, Offset});
    }
  }

  /// True where the original does what \p R says, too.
  bool covers(const Record &R) const;

private:
  struct Entry {
    const Record *Of;
    int64_t Offset;
  };
  Graph &G;
  DenseMap<T, std::vector<Entry>> ByTerm;

  /// A term as a constant and the rest.
  std::pair<T, int64_t> split(T A) const {
    if (A->is(Op::Sum) && A->Width == 64)
      return {G.plus(A, 0 - A->Value), int64_t(A->Value)};
    return {A, 0};
  }
  bool happens(const Record &R, ArrayRef<const Record *> With) const;
};

/// True where two terms are the same loop, of which they may tell different
/// parts of the state.
bool sameLoop(T A, T B) {
  if (A == B)
    return true;
  if (A->Value != B->Value || A->Kids[0] != B->Kids[0])
    return false;
  for (size_t I = 1; I + 2 < A->Kids.size(); I += 3)
    for (size_t J = 1; J + 2 < B->Kids.size(); J += 3)
      if (A->Kids[I] == B->Kids[J] && (A->Kids[I + 1] != B->Kids[J + 1] ||
                                       A->Kids[I + 2] != B->Kids[J + 2]))
        return false;
  return true;
}

/// True where, whenever \p R happens, one of \p With does.
bool Allowed::happens(const Record &R, ArrayRef<const Record *> With) const {
  SmallVector<T, 4> Nots;
  for (const Record *B : With) {
    if (B->Trace != R.Trace || B->Loops.size() > R.Loops.size())
      continue;
    // It may be done before a loop that R is in.
    size_t Within = R.Loops.size() - B->Loops.size();
    T When = Within ? R.Loops[Within - 1].second : R.When;
    bool Fits = true;
    for (size_t I = 0; I < B->Loops.size(); ++I) {
      auto [Loop, Entered] = R.Loops[Within + I];
      Fits = Fits && sameLoop(Loop, B->Loops[I].first) &&
             G.implies(Entered, B->Loops[I].second);
    }
    if (Fits && G.implies(When, B->When))
      return true;
    if (Fits && !Within)
      Nots.push_back(G.negation(B->When));
  }
  if (Nots.empty())
    return false;
  return G.implies(R.When, G.negation(G.conjunction(Nots)));
}

bool Allowed::covers(const Record &R) const {
  const auto Parts = split(R.What);
  const T Linear = Parts.first;
  const int64_t Offset = Parts.second;
  auto It = ByTerm.find(Linear);
  static const std::vector<Entry> None;
  const std::vector<Entry> &Entries = It == ByTerm.end() ? None : It->second;
  auto matching = [&](auto Fits) {
    SmallVector<const Record *, 8> Out;
    for (const Entry &E : Entries)
      if (Fits(*E.Of, E.Offset))
        Out.push_back(E.Of);
    return Out;
  };
  int64_t At = Offset, End = Offset + R.Bytes;
  switch (R.Sort) {
  case Record::Read:
  case Record::Write:
    // Each byte is read there, too, or written.
    for (int64_t Byte = At; Byte < End; ++Byte)
      if (!happens(R, matching([&](const Record &B, int64_t From) {
                     return (B.Sort == Record::Write ||
                             (B.Sort == Record::Read &&
                              R.Sort == Record::Read)) &&
                            From <= Byte && Byte < From + int64_t(B.Bytes);
                   })))
        return false;
    return true;
  case Record::Aligned:
    return happens(R, matching([&](const Record &B, int64_t From) {
                     return B.Sort == R.Sort && From == At &&
                            B.Bytes % R.Bytes == 0;
                   }));
  case Record::Fits:
  case Record::Inside: {
    // It lies between two that do.
    auto isPoint = [&](const Record &B, int64_t From, bool Below) {
      bool Access = R.Sort == Record::Inside &&
                    (B.Sort == Record::Read || B.Sort == Record::Write);
      if (!Access && (B.Sort != R.Sort || B.Bytes != R.Bytes))
        return false;
      return Below ? From <= At : From + (Access ? B.Bytes : 0) >= At;
    };
    auto has = [&](bool Below) {
      bool Known =
          R.Sort == Record::Inside
              ? StringRef(Linear->Name).starts_with("&")
              : G.interval(Linear).Low >= -(__int128(1) << (8 * R.Bytes - 1)) &&
                    G.interval(Linear).High <
                        (__int128(1) << (8 * R.Bytes - 1));
      if (Known && (Below ? At >= 0 : At <= 0))
        return true;
      Record Any = R;
      SmallVector<const Record *, 8> Points;
      for (const Entry &E : Entries)
        if (isPoint(*E.Of, E.Offset, Below))
          Points.push_back(E.Of);
      // What others do between is no matter here.
      std::vector<Record> Copies;
      for (const Record *P : Points) {
        Copies.push_back(*P);
        Copies.back().Trace = R.Trace;
      }
      SmallVector<const Record *, 8> Seen;
      for (const Record &C : Copies)
        Seen.push_back(&C);
      return happens(Any, Seen);
    };
    return has(true) && has(false);
  }
  default:
    return happens(R, matching([&](const Record &B, int64_t From) {
                     return B.Sort == R.Sort && From == At && B.What == R.What;
                   }));
  }
}

std::string words(const Record &R) {
  switch (R.Sort) {
  case Record::Read:
    return "the new version reads where the original may not";
  case Record::Write:
    return "the new version writes where the original may not";
  case Record::Aligned:
    return "the new version needs an alignment that the original does not need";
  case Record::Inside:
    return "the new version's pointer may leave its buffer where the "
           "original's does not";
  case Record::Fits:
    return "the new version's arithmetic may overflow where the original's "
           "does not";
  case Record::Operation:
    return "the new version has an operation that may be undefined, and that "
           "the original lacks";
  case Record::Unset:
    return "the new version may use a value that nobody has set";
  case Record::Ends:
    return "the new version has a loop that may not end, and that the original "
           "lacks";
  case Record::Unreachable:
    return "the new version takes for unreachable what the original does not";
  }
  return "";
}

bool isOwn(StringRef Memory) {
  return Memory.starts_with("private ") || Memory.starts_with("local ") ||
         Memory.starts_with("constant ");
}

/// Which arguments are restrict in \p Before, and whether \p After has another.
Apart alone(const Function &Before, const Function &After, bool All,
            bool &Another) {
  Apart Out;
  for (auto [B, A] : zip(Before.args(), After.args())) {
    if (All || B.hasNoAliasAttr())
      Out.insert(B.getArgNo());
    else
      Another |= A.hasNoAliasAttr();
  }
  return Out;
}

/// What the host passes, in words: two contexts share no types.
std::string signature(const Function &F) {
  std::string Out;
  raw_string_ostream S(Out);
  for (const Argument &A : F.args()) {
    S << *A.getType();
    if (A.getType()->isPointerTy())
      S << " aligned to " << A.getParamAlign().valueOrOne().value();
    if (A.hasByRefAttr())
      S << F.getParent()->getDataLayout().getTypeAllocSize(
          A.getParamByRefType());
    S << ",";
  }
  // Which work-groups it can be launched with.
  for (StringRef Kind : {"reqd_work_group_size", "intel_reqd_sub_group_size"})
    if (const MDNode *N = F.getMetadata(Kind)) {
      S << Kind;
      for (const MDOperand &Each : N->operands())
        if (auto *C = mdconst::dyn_extract<ConstantInt>(Each))
          S << " " << C->getZExtValue();
    }
  S << F.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
  return Out;
}

/// What became of an attempt, and conditions that may be worth distinguishing.
struct Attempt {
  Proof P;
  std::vector<T> Cases;
  Behaviour Before, After;
};

bool hasLoop(T Of) {
  return hasPart(Of, [](T A) { return A->is(Op::Last); });
}

/// True for a conjunction that compares addresses, as "each begins before the
/// other ends" does: whether memory overlaps.
bool comparesPlaces(T Of) {
  return Of->is(Op::And) && hasPart(Of, [](T A) {
           return A->is(Op::Variable) && StringRef(A->Name).starts_with("&");
         });
}

/// The conditions on inputs alone that are parts of \p Of.
std::set<T> conditionsIn(ArrayRef<T> Of) {
  std::set<T> Out;
  hasPart(Of, [&](T A) {
    if (A->Width == 1 && !A->is(Op::And) && !A->is(Op::Not) &&
        !A->isConstant() && A->Depths == 0 && !A->Unset)
      Out.insert(A);
    if (A->is(Op::Not) && A->Depths == 0 && !A->Unset &&
        comparesPlaces(A->Kids[0]))
      Out.insert(A->Kids[0]);
    return false;
  });
  return Out;
}

std::vector<T> termsOf(const Behaviour &B) {
  std::vector<T> Out{B.End.Trace};
  for (const auto &[Name, Memory] : B.End.Memory)
    if (!isOwn(Name))
      Out.push_back(Memory);
  for (const Record &R : B.Records) {
    if (R.Implied)
      continue;
    Out.push_back(R.When);
    for (auto [Loop, Entered] : R.Loops)
      Out.insert(Out.end(), {Loop, Entered});
  }
  return Out;
}

/// The conditions that one of the versions asks for and the other does not, and
/// then those of both.
std::vector<T> casesOf(const Behaviour &B, const Behaviour &A) {
  std::set<T> Old = conditionsIn(termsOf(B)), New = conditionsIn(termsOf(A));
  std::vector<T> Out;
  // What is asked of places as a whole comes before its parts.
  auto inOrder = [](T X, T Y) {
    return std::pair(!X->is(Op::And), X->Id) <
           std::pair(!Y->is(Op::And), Y->Id);
  };
  for (auto [These, Those] : {std::pair(&New, &Old), std::pair(&Old, &New)}) {
    size_t Begin = Out.size();
    for (T C : *These)
      if (!Those->count(C) && !hasLoop(C))
        Out.push_back(C);
    std::sort(Out.begin() + Begin, Out.end(), inOrder);
  }
  size_t Begin = Out.size();
  for (T C : New)
    if (Old.count(C) && !hasLoop(C))
      Out.push_back(C);
  std::sort(Out.begin() + Begin, Out.end(), inOrder);
  return Out;
}

/// Compares what the versions do in one case, which \p G assumes.
Attempt attempt(Graph &G, Function &Old, Function &New, const Apart &Alone) {
  Attempt Out;
  Proof &P = Out.P;
  Behaviour &B = Out.Before = execute(G, Old, Alone);
  if (!B.Problem.empty()) {
    P.Why = B.Problem;
    P.Line = B.Line;
    return Out;
  }
  Behaviour &A = Out.After = execute(G, New, Alone);
  if (!A.Problem.empty() || G.isFull()) {
    P.Why = A.Problem.empty() ? "the kernel is too large" : A.Problem;
    P.Line = A.Line;
    P.InNew = true;
    return Out;
  }
  auto differ = [&] {
    Out.Cases = casesOf(B, A);
    return Out;
  };
  if (B.End.Trace != A.End.Trace) {
    P.Why = "barriers, atomics or images that are written are not shown to be "
            "the same";
    return differ();
  }
  std::set<std::string> Names;
  for (const State *S : {&B.End, &A.End})
    for (const auto &[Name, Memory] : S->Memory)
      if (!isOwn(Name))
        Names.insert(Name);
  for (const std::string &Name : Names) {
    auto of = [&](State &S) {
      T &M = S.Memory[Name];
      return M ? M : M = G.variable(0, "memory of " + Name);
    };
    if (of(B.End) == of(A.End))
      continue;
    P.Why = "what is stored in " + Name + " is not shown to be the same";
    return differ();
  }
  Allowed Original(G, B.Records);
  for (const Record &R : A.Records)
    if (!R.Implied && !Original.covers(R)) {
      P.Why = words(R);
      P.Line = R.Line;
      P.InNew = true;
      return differ();
    }
  P.Proved = true;
  return Out;
}

/// Proves it where \p Assumed, terms of another graph, hold; else distinguishes
/// cases.
Proof byCases(Function &Old, Function &New, const Apart &Alone,
              std::vector<std::pair<T, bool>> Assumed, unsigned &Tries,
              double Seconds) {
  constexpr unsigned MostTries = 40, MostCases = 6;
  Graph G;
  for (auto [Condition, Holds] : Assumed) {
    T Own = G.imported(Condition);
    G.assume(Holds ? Own : G.negation(Own));
  }
  ++Tries;
  Attempt A = attempt(G, Old, New, Alone);
  if (A.P.Proved || A.Cases.empty())
    return A.P;
  Proof Out = A.P;
  // Tests of whether places overlap do not count: where one fails, the new
  // version does what the original does, and one try is enough.
  auto Others =
      count_if(Assumed, [](auto Each) { return !Each.first->is(Op::And); });
  for (bool Holds : {true, false}) {
    if (Tries >= MostTries || Others >= MostCases) {
      Out = A.P; // this case is not known
      break;
    }
    std::vector<std::pair<T, bool>> With = Assumed;
    With.push_back({A.Cases.front(), Holds});
    Out = byCases(Old, New, Alone, With, Tries, Seconds);
    if (!Out.Proved)
      break;
  }
  if (!Out.Proved && Assumed.empty())
    Out.Suspects = suspects(A.Before, A.After, Seconds);
  return Out;
}

} // namespace

/// The calls of OpenCL C's memory fences, which order a work-item's accesses.
static SmallVector<CallInst *> fencesIn(Module &M) {
  SmallVector<CallInst *> Out;
  for (StringRef Name :
       {"_Z9mem_fencej", "_Z14read_mem_fencej", "_Z15write_mem_fencej"})
    if (Function *F = M.getFunction(Name); F && F->isDeclaration())
      for (User *U : F->users())
        if (auto *Call = dyn_cast<CallInst>(U))
          Out.push_back(Call);
  return Out;
}

std::vector<Suspect> launchesThatWrite(Module &M, const std::string &Kernel,
                                       const std::vector<unsigned> &Words,
                                       bool NoOverlap, double Seconds) {
  Function *F = M.getFunction(Kernel);
  if (!F || F->isDeclaration() || F->arg_empty())
    return {};
  bool Another = false;
  Apart Alone = alone(*F, *F, NoOverlap, Another);
  const auto Last = unsigned(F->arg_size() - 1);
  Alone.insert(Last);
  for (Function &Each : M)
    if (!Each.isDeclaration())
      prepare(Each);
  Graph G;
  return reaching(execute(G, *F, Alone), Last, Words, Seconds);
}

Proof prove(Module &Before, Module &After, const std::string &Kernel,
            bool NoOverlap, double Seconds) {
  Proof Out;
  Function *Old = Before.getFunction(Kernel), *New = After.getFunction(Kernel);
  if (!Old || !New || Old->isDeclaration() || New->isDeclaration()) {
    Out.Why = "one of the versions has no such kernel";
    return Out;
  }
  if (signature(*Old) != signature(*New)) {
    Out.Why = "the kernel's arguments or its work-groups change";
    return Out;
  }
  bool Another = false;
  Apart Alone = alone(*Old, *New, NoOverlap, Another);
  if (Another) {
    Out.Why = "the new version promises that arguments do not overlap, and the "
              "original does not";
    return Out;
  }
  // Fences forbid orders and add none: what the new version does with them it
  // may do without. Those of the original are events, which must stay.
  if (fencesIn(Before).empty())
    for (CallInst *Fence : fencesIn(After))
      Fence->eraseFromParent();
  for (Module *M : {&Before, &After})
    for (Function &F : *M)
      if (!F.isDeclaration())
        prepare(F);
  unsigned Tries = 0;
  return byCases(*Old, *New, Alone, {}, Tries, Seconds);
}

} // namespace clrewrite::prove
