// column-access: the lanes of a wave read or write places that lie far apart.
//
// A wave's access is fast where neighbouring lanes touch neighbouring bytes.
// `a[x * h + y]`, x the id of dimension 0, puts h elements between them: each
// lane needs a line of memory of its own. That h is not 1 the text does not
// say, but its other terms tell: where y or a loop walks the neighbouring
// elements, the rows of the buffer lie along that, and not along x.
#include "advice/Accesses.h"
#include "advice/AdviceSort.h"
#include "advice/Strides.h"
#include "rewrite/ast/WorkItemUse.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace clrewrite::advice {
namespace {

/// A cache line of GCN's L1; NVIDIA's and RDNA's are longer.
constexpr int64_t LineBytes = 64;
/// The widest vector of one vector load.
constexpr int64_t WidestStep = 16;

/// Where \p A lies, as \p By moves.
std::optional<Stride> strideOf(const Access &A, const Program &Code, Mover By,
                               const Frame *In) {
  Strides S(Code, By, In);
  if (!A.Pointer)
    return S.ofAddress(A.At);
  std::optional<Stride> Base = S.of(A.Pointer), Offset = S.of(A.Offset);
  if (!Base || !Offset)
    return std::nullopt;
  Base->Constant += Offset->Constant * A.Bytes;
  for (const auto &[Name, Factor] : Offset->Terms)
    Base->Terms[Name] += Factor * A.Bytes;
  return Base;
}

bool isStepOf(const std::optional<Stride> &S, const Access &A) {
  return S && S->isNumber() && S->Constant != 0 &&
         std::abs(S->Constant) <= std::max(WidestStep, A.Bytes);
}

/// What walks the neighbouring elements instead of the lanes; empty where
/// nothing is known to.
std::string walker(const Access &A, const Program &Code, const Frame *In) {
  for (const Stmt *S : llvm::reverse(A.Around))
    if (const VarDecl *V = variableOf(S);
        V && isStepOf(strideOf(A, Code, {Mover::Variable, V}, In), A))
      return "the loop over " + V->getNameAsString();
  if (isStepOf(strideOf(A, Code, {Mover::Row}, In), A))
    return "the id of dimension 1";
  return "";
}

/// Only some lanes of a wave come here: `if (get_local_id(0) == 0)`.
bool isForFew(const Access &A, const Program &Code, const Frame *In) {
  Strides Lane(Code, {Mover::Lane}, In);
  auto IsEquality = [&](const Expr *E, auto &Self) -> bool {
    const auto *B = dyn_cast<BinaryOperator>(Code.meaning(E));
    if (!B)
      return !Lane.isSame(E); // a mask, a call: who knows
    if (B->isLogicalOp())
      return Self(B->getLHS(), Self) || Self(B->getRHS(), Self);
    return B->isEqualityOp() &&
           !(Lane.isSame(B->getLHS()) && Lane.isSame(B->getRHS()));
  };
  return llvm::any_of(A.Around, [&](const Stmt *S) {
    const auto *If = dyn_cast<IfStmt>(S);
    return If && IsEquality(If->getCond(), IsEquality);
  });
}

/// Its lanes are not those of one row.
bool hasNarrowGroups(const FunctionDecl &F, const AdviceFacts &Facts) {
  if (std::vector<uint64_t> Sizes = rewrite::requiredGroup(F);
      !Sizes.empty() && Sizes[0] < 8)
    return true;
  return llvm::any_of(Facts.Groups, [&](const AdviceFacts::Group &G) {
    return G.Kernel == F.getName() && !G.Local.empty() && G.Local[0] < 8;
  });
}

/// \p S in elements of \p A; none where it is no whole number of them.
std::optional<Stride> inElements(Stride S, const Access &A) {
  bool Whole = S.Constant % A.ElementBytes == 0;
  S.Constant /= A.ElementBytes;
  for (auto &Term : S.Terms) {
    Whole &= Term.second % A.ElementBytes == 0;
    Term.second /= A.ElementBytes;
  }
  return Whole ? std::optional(S) : std::nullopt;
}

/// What is wrong with \p A where a kernel comes to it by \p In.
std::string columnOf(const Access &A, const Program &Code, const Frame *In) {
  std::optional<Stride> S = strideOf(A, Code, {Mover::Lane}, In);
  if (!S || S->isZero() || isForFew(A, Code, In))
    return "";
  std::optional<Stride> Elements = inElements(*S, A);
  if (!Elements)
    return "";
  std::string Walker = walker(A, Code, In);
  bool Far = S->isNumber()
                 ? std::abs(S->Constant) >= std::max(LineBytes, 4 * A.Bytes)
                 : !Walker.empty();
  if (!Far)
    return "";
  std::string Out = "the lanes of a wave are " + Elements->text() +
                    " elements apart here (the stride of dimension 0's id)";
  if (!Walker.empty())
    Out += ", while " + Walker + " walks the neighbours";
  return Out;
}

void inFunction(const FunctionDecl &F, const Adviser &To) {
  std::vector<const Frame *> Ways = To.Code.waysTo(F);
  if (Ways.empty() || hasNarrowGroups(F, To.Facts))
    return;
  struct Seen {
    SourceLocation At;
    unsigned Count = 0;
  };
  std::map<std::string, Seen> Found; // by message
  std::vector<std::string> Order;
  for (const Access &A : accessesOf(F, To.Context))
    for (const Frame *In : Ways) {
      std::string Why = columnOf(A, To.Code, In);
      if (Why.empty())
        continue;
      std::string Message =
          (A.Writes ? "writes of " : "reads of ") + bufferOf(A, To.Context) +
          " do not coalesce: " + Why +
          "; let dimension 0 run along what lies side by side, or go through "
          "local memory";
      auto [It, New] = Found.try_emplace(Message, Seen{A.At->getBeginLoc()});
      if (New)
        Order.push_back(Message);
      ++It->second.Count;
      break;
    }
  for (const std::string &Message : Order) {
    const Seen &S = Found[Message];
    To.Tell(S.At, F,
            Message + (S.Count > 1 ? " (" + std::to_string(S.Count) +
                                         " such accesses in " +
                                         F.getNameAsString() + ")"
                                   : ""));
  }
}

void find(const Adviser &To) {
  for (const auto &Each : To.Code.Functions)
    inFunction(*Each.second, To);
}

} // namespace

const AdviceSort &adviceColumnAccess() {
  static const AdviceSort S{
      "column-access",
      "accesses that put the lanes of a wave far apart in memory", find};
  return S;
}

} // namespace clrewrite::advice
