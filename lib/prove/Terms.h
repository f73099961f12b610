// What a kernel computes, as one graph of terms that both versions share.
//
// Equal terms are the same node: a term is made by a function of Graph, which
// simplifies it to a normal form and looks it up. So two versions compute the
// same where their results are the same node, and most edits end so.
//
// Integers are bit-vectors, with a width of 1 for conditions. Floating-point
// values are the bit-vectors of their bits, and what computes with them is an
// application, whose name alone says what it is: nothing is assumed of it but
// that it gives the same for the same operands. Memory is a value too: each
// store gives the memory after it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace clrewrite::prove {

/// The lowest \p Width bits, all of them for 64 and more.
inline uint64_t masked(uint64_t Value, unsigned Width) {
  return Width >= 64 ? Value : Value & llvm::maskTrailingOnes<uint64_t>(Width);
}

/// The lowest \p Width bits, all of them for 64 and more, as a number in two's
/// complement.
inline int64_t asSigned(uint64_t Value, unsigned Width) {
  return Width >= 64 ? int64_t(Value) : llvm::SignExtend64(Value, Width);
}

enum class Op {
  Constant,
  Variable,
  /// A state of a loop in some iteration; Value is the depth of the loop.
  Bound,
  /// Value + Coefs[0] * Kids[0] + ...
  Sum,
  Product,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  BitAnd,
  BitOr,
  BitXor,
  ZExt,
  SExt,
  /// The bits from Value on.
  Extract,
  /// Kids[0] has the low bits.
  Concat,
  Equal,
  ULess,
  SLess,
  Not,
  And,
  Select,
  /// Of a memory, an address and as many bytes as the width says.
  Load,
  /// Of a memory, an address and a value.
  Store,
  /// Of anything, by its name.
  Apply,
  /// A loop of depth Value: whether it goes on after an iteration, then a
  /// bound variable, its first value and its next one for each state.
  Loop,
  /// A bound variable (Kids[0]) in the last iteration of a loop (Kids[1]).
  Last,
};

struct Term {
  Op What;
  /// In bits; 0 for memories, loops, and what is recorded of an execution.
  unsigned Width = 0;
  uint64_t Value = 0;
  std::string Name = {};
  std::vector<const Term *> Kids = {};
  std::vector<uint64_t> Coefs = {};
  /// In the order in which terms are made.
  unsigned Id = 0;
  /// A value that nobody has set may be part of it.
  bool Unset = false;
  /// A bit for each depth of loop whose bound variables are free in it.
  uint32_t Depths = 0;

  bool is(Op O) const { return What == O; }
  bool isConstant() const { return What == Op::Constant; }
  bool isTrue() const { return isConstant() && Width == 1 && Value == 1; }
  bool isFalse() const { return isConstant() && Width == 1 && Value == 0; }
  bool isBoundIn(unsigned Depth) const { return Depths >> Depth & 1; }
};

using T = const Term *;

/// Whether \p Fits one of the terms that \p Roots are made of, themselves
/// included. Some of them may be null.
bool hasPart(llvm::ArrayRef<T> Roots, llvm::function_ref<bool(T)> Fits);

/// The least and the greatest value of a term, as signed 64-bit integers.
struct Interval {
  __int128 Low, High;
};

class Graph {
public:
  T constant(unsigned Width, uint64_t Value);
  T truth(bool Value) { return constant(1, Value); }
  /// \p Unset marks what nobody has set.
  T variable(unsigned Width, llvm::StringRef Name, bool Unset = false);
  /// The state of a loop at \p Depth that begins as \p First; states that begin
  /// alike are told apart by \p Number.
  T bound(unsigned Depth, T First, unsigned Number);
  /// How many iterations of a loop at \p Depth came before.
  T count(unsigned Depth);
  T apply(unsigned Width, llvm::StringRef Name, llvm::ArrayRef<T> Kids);

  T add(T A, T B) { return sum({{A, 1}, {B, 1}}, 0, A->Width); }
  T sub(T A, T B) { return sum({{A, 1}, {B, ~uint64_t(0)}}, 0, A->Width); }
  T plus(T A, uint64_t B) { return sum({{A, 1}}, B, A->Width); }
  T times(T A, uint64_t B) { return sum({{A, B}}, 0, A->Width); }
  T mul(T A, T B);
  /// Division, remainder, shifts and operations on bits.
  T binary(Op O, T A, T B);
  T zext(T A, unsigned Width);
  T sext(T A, unsigned Width);
  T extract(T A, unsigned From, unsigned Width);
  T concat(T Low, T High);

  T equal(T A, T B);
  T less(bool Signed, T A, T B);
  T negation(T A);
  T conjunction(llvm::ArrayRef<T> Kids);
  T both(T A, T B) { return conjunction({A, B}); }
  T either(T A, T B) { return negation(both(negation(A), negation(B))); }
  bool implies(T A, T B) { return both(A, negation(B))->isFalse(); }
  /// \p A without what \p Fact, a condition that holds, says already.
  T given(T A, T Fact);
  T select(T If, T Then, T Else);

  T load(T Memory, T Address, unsigned Width);
  T store(T Memory, T Address, T Value);

  T loop(unsigned Depth, T GoesOn, llvm::ArrayRef<T> States);
  T last(T Bound, T Loop);
  /// \p A with other terms for some bound variables of loops at \p Depth. \p
  /// Done keeps what was made for the next time.
  T substitute(T A, unsigned Depth, const std::map<T, T> &By,
               std::map<T, T> &Done);

  /// From now on \p Condition holds: what it says of terms that are made is put
  /// in their place.
  void assume(T Condition);
  /// \p Base leads to a buffer in global memory. It has none of the first 128
  /// addresses, since it is aligned for the largest vector and is not at null,
  /// and none of the last 128.
  void addGlobal(T Base) { Globals.insert(Base); }
  /// True where what is assumed says that the \p Size bytes at \p A are none of
  /// the \p Width bytes at each address from \p First to \p Last, of which
  /// either may be the lower. All of these are in buffers in global memory.
  bool isOutside(T A, uint64_t Size, T First, T Last, uint64_t Width);
  /// The same term in this graph. None of a loop's may be part of it.
  T imported(T Other);

  /// \p A - \p B, where that is a constant.
  std::optional<int64_t> difference(T A, T B);
  Interval interval(T A);
  /// The same where \p Fact holds and what is assumed, by their comparisons of
  /// parts of \p A.
  Interval interval(T A, T Fact);

  /// More terms than this are taken for a hang.
  static constexpr size_t Most = 400000;
  bool isFull() const { return All.size() > Most; }

private:
  using Parts = llvm::SmallVector<std::pair<T, uint64_t>, 4>;
  T sum(llvm::ArrayRef<std::pair<T, uint64_t>> Of, uint64_t Constant,
        unsigned Width);
  T make(Term New);
  T within(T A, T Fact, unsigned Levels, unsigned &Budget);
  T rebuilt(T A, llvm::ArrayRef<T> Kids);
  T peeled(T If, T Then, T Else);
  Interval sumOf(T A, llvm::function_ref<Interval(T)> Of);

  std::deque<Term> All;
  std::unordered_multimap<size_t, T> ByHash;
  llvm::DenseMap<T, T> Known; ///< terms that an assumption gives a value
  std::vector<T> Assumed;     ///< the conditions that do
  /// What isOutside() says, as it was assumed.
  struct Separation {
    T A;
    int64_t Size;
    T First, Last;
    int64_t Width;
  };
  std::vector<Separation> Separations;
  llvm::DenseSet<T> Globals;
  bool isGlobal(T Address);
  void separate(T Overlaps);
  std::map<T, Interval> Intervals;
  llvm::DenseMap<T, unsigned> Depth; ///< how many stores a memory is
  /// What load() gave, by what is assumed now: choices of memories share the
  /// memory below, which each way through them would go through again.
  llvm::DenseMap<std::tuple<T, T, unsigned>, T> Loads;
  T loadThrough(T Memory, T Address, unsigned Width);
  T placed(T Memory, T Address, T Value);
  unsigned stores(T Memory);
};

} // namespace clrewrite::prove
