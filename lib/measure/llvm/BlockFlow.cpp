// Numbers are carried from block to edge and back until all are known.
#include "measure/llvm/BlockFlow.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::measure {
namespace {

using Number = std::optional<double>;

class Solver {
public:
  explicit Solver(std::vector<BlockFlow::Block> &Blocks)
      : Blocks(Blocks), Runs(Blocks.size()), In(Blocks.size()),
        Out(Blocks.size()) {
    for (unsigned B = 0; B < Blocks.size(); ++B)
      for (unsigned To : Blocks[B].Next) {
        Out[B].push_back(unsigned(Edges.size()));
        In[To].push_back(unsigned(Edges.size()));
        From.push_back(B);
        Edges.emplace_back();
      }
  }

  void solve() {
    Runs[0] = Blocks[0].Told.value_or(Blocks[0].Otherwise);
    for (unsigned B = 1; B < Blocks.size(); ++B)
      if (isGuarded(B))
        Runs[B] = Blocks[B].Told;
    settle();
    std::vector<unsigned> Order = onTheWay();
    auto guess = [&](auto NumberOf) {
      for (unsigned B : Order)
        if (Number N = NumberOf(Blocks[B]); N && !Runs[B]) {
          Runs[B] = N;
          settle();
        }
    };
    guess([](const BlockFlow::Block &B) { return B.Told; });
    guess([](const BlockFlow::Block &B) { return Number(B.Otherwise); });
    for (unsigned B = 0; B < Blocks.size(); ++B) {
      Blocks[B].Runs = *Runs[B];
      Blocks[B].Left.clear();
      // An edge that stays unknown goes between blocks that are known.
      for (unsigned E : Out[B])
        Blocks[B].Left.push_back(
            Edges[E].value_or(*Runs[B] / double(Out[B].size())));
    }
  }

private:
  std::vector<BlockFlow::Block> &Blocks;
  std::vector<Number> Runs, Edges;
  std::vector<unsigned> From; ///< by edge
  std::vector<std::vector<unsigned>> In, Out;

  /// All blocks, each behind those that lead there, but for loops: what is
  /// guessed of one may follow from what is guessed of those.
  std::vector<unsigned> onTheWay() const {
    std::vector<unsigned> Order, At(Blocks.size()), Stack;
    std::vector<bool> Seen(Blocks.size());
    for (unsigned First = 0; First < Blocks.size(); ++First) {
      if (!Seen[First])
        Stack.push_back(First);
      while (!Stack.empty()) {
        unsigned B = Stack.back();
        Seen[B] = true;
        if (At[B] == Blocks[B].Next.size()) {
          Order.push_back(B);
          Stack.pop_back();
        } else if (unsigned To = Blocks[B].Next[At[B]++]; !Seen[To]) {
          Stack.push_back(To);
        }
      }
    }
    std::reverse(Order.begin(), Order.end());
    return Order;
  }

  /// One branch alone leads there.
  bool isGuarded(unsigned B) const {
    return In[B].size() == 1 && Out[From[In[B].front()]].size() > 1;
  }

  void settle() {
    bool Changed = true;
    while (Changed) {
      Changed = false;
      for (unsigned B = 0; B < Blocks.size(); ++B) {
        // The program begins at the entry.
        Changed |= balance(Runs[B], In[B], /*Holds=*/B != 0);
        Changed |= balance(Runs[B], Out[B], /*Holds=*/!Out[B].empty());
      }
    }
  }

  /// Where all numbers of a sum but one are known, that one is, too; and where
  /// nothing is left, the others are zero.
  bool balance(Number &Sum, ArrayRef<unsigned> Parts, bool Holds) {
    if (!Holds || Parts.empty())
      return false;
    double Known = 0;
    SmallVector<Number *, 4> Missing;
    for (unsigned E : Parts)
      if (Edges[E])
        Known += *Edges[E];
      else
        Missing.push_back(&Edges[E]);
    if (Missing.empty()) {
      if (Sum)
        return false;
      Sum = Known;
      return true;
    }
    double Left = Sum ? std::max(0.0, *Sum - Known) : 0;
    if (!Sum || (Missing.size() > 1 && Left > 1e-9 * *Sum))
      return false;
    for (Number *Each : Missing)
      *Each = Missing.size() == 1 ? Left : 0;
    return true;
  }
};

} // namespace

void BlockFlow::solve() {
  if (!Blocks.empty())
    Solver(Blocks).solve();
}

} // namespace clrewrite::measure
