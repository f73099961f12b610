// How far a kernel's results vary from run to run, and how far those of another
// version lie outside of that.
//
// Some kernels leave other bytes in each run: work-items add floats to one sum
// in the order in which they arrive. Then bytes can't be compared. Here both
// versions run many times instead. What the original's runs leave in an element
// makes its hull, from the smallest to the largest value; so do the runs of the
// new version. How far the new hull reaches beyond the original's is told in
// units of what the element may be expected to vary:
//
// - its own hull's width, in the original;
// - or, for floating types, where that is more, what is usual in its buffer:
// the
//   median of the relative widths of the elements that vary, times its
//   magnitude, but never more than the widest hull. A version with other timing
//   has other orders of arrival, and so may round where the original's runs
//   happened to agree;
// - or, for floating types, two units in the last place, where nothing in the
//   buffer varied, or less was usual.
//
// An integer that never varied has no unit: what leaves its hull is infinitely
// far outside. lib/opencl/Spread.h judges these numbers.
#pragma once

#include "HostMemory.h"
#include "ScalarType.h"

namespace clrewrite::device {

/// The runs of one buffer. An element is a component of its type.
class Spread {
  /// The smallest and the largest values, in the type's own bytes.
  struct Hulls {
    HostMemory Low, High;
    bool Any = false; ///< it holds some run
  };
  ScalarType Type;
  size_t Bytes;
  HostMemory First; // what the first run left
  Hulls Old, New;   // no memory before a run leaves other bytes than the first
  /// Where some run left other bytes, by block; all others are as in First.
  std::vector<bool> Touched;
  /// See Summary.
  bool Permutes = true;

public:
  struct Summary {
    size_t Elements = 0;
    /// Elements in which the original's runs differ; the largest difference of
    /// two runs in one of them; and the largest one over the larger magnitude.
    /// None where two values are not finite.
    size_t Varying = 0;
    std::optional<double> Absolute, Relative;
    /// The original's runs leave the same values, in other places.
    bool Permuted = false;
    /// Elements in which the new version's runs differ.
    size_t NewVarying = 0;
    /// Elements whose new hull reaches beyond the original's, and those of them
    /// that all runs of the new version left on one side of it.
    size_t Outside = 0, Apart = 0;
    /// By how many units at most, in any element; and the same of those that
    /// are apart, for the hulls' nearer ends.
    double Excess = 0, ApartExcess = 0;
    /// The element of that, an apart one where there is one, and what the
    /// versions left there as text: [smallest, largest]. None where nothing is
    /// outside.
    std::optional<size_t> Element;
    Json OldValues, NewValues;
  };

  /// \p Type may be a vector's; runs have \p Bytes each.
  Spread(const ScalarType &Type, size_t Bytes);

  /// Notes what a run of the new version, or of the original, left. False where
  /// the host has no memory left.
  bool add(const uint8_t *Run, bool IsNew);
  /// All runs left the same bytes.
  bool isSteady() const { return Touched.empty(); }
  Summary summary() const;

private:
  bool note(const uint8_t *Run);
  template <typename Visitor> void visitTouched(Visitor Visit) const;
  bool permutes(const uint8_t *Run) const;
  /// What units are made of.
  struct Usual {
    long double Relative = 0, Widest = 0, TwoUlps = 0;
  };
  Usual usual() const;
  /// How far \p Value lies outside of the original's hull at \p At, in its
  /// unit; 0 for inside.
  double excess(const uint8_t *Value, size_t At, const Usual &U) const;
};

} // namespace clrewrite::device
