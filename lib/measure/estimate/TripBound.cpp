// The most that a loop with cut bounds can run.
//
// `for (k = max(-3, -x); k < min(4, w - x); ++k)` runs seven times at most, and
// that often for nearly all work-items. LLVM's ranges wrap around, so that -x
// makes it say 2^31; here the sums have no limit, and parts without a bound are
// left to the min and max that they stand in.
#include "measure/estimate/TripBound.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// The largest value of \p S, or the smallest.
std::optional<int64_t> bound(const SCEV *S, bool Upper, unsigned Depth);

std::optional<int64_t> ofSum(const SCEVAddExpr *Sum, bool Upper,
                             unsigned Depth) {
  int64_t Total = 0;
  for (const SCEV *Part : Sum->operands()) {
    std::optional<int64_t> B = bound(Part, Upper, Depth);
    if (!B)
      return std::nullopt;
    Total += *B;
  }
  return Total;
}

/// One operand bounds min from above and max from below; the other way it takes
/// all of them.
std::optional<int64_t> ofMinMax(const SCEVMinMaxExpr *M, bool Upper,
                                unsigned Depth) {
  bool IsMin = isa<SCEVSMinExpr>(M);
  std::optional<int64_t> Best;
  for (const SCEV *Part : M->operands()) {
    std::optional<int64_t> B = bound(Part, Upper, Depth);
    if (!B && IsMin != Upper)
      return std::nullopt;
    if (B)
      Best = !Best ? *B : IsMin ? std::min(*Best, *B) : std::max(*Best, *B);
  }
  return Best;
}

std::optional<int64_t> bound(const SCEV *S, bool Upper, unsigned Depth) {
  if (Depth > 16)
    return std::nullopt;
  if (const auto *C = dyn_cast<SCEVConstant>(S)) {
    int64_t N = C->getAPInt().getSignificantBits() <= 32
                    ? C->getAPInt().getSExtValue()
                    : INT64_MAX;
    return N == INT64_MAX ? std::nullopt : std::optional(N);
  }
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S))
    return ofSum(Sum, Upper, Depth + 1);
  if (const auto *M = dyn_cast<SCEVMinMaxExpr>(S))
    return isa<SCEVSMinExpr, SCEVSMaxExpr>(M) ? ofMinMax(M, Upper, Depth + 1)
                                              : std::nullopt;
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return isa<SCEVSignExtendExpr>(Cast)
               ? bound(Cast->getOperand(), Upper, Depth + 1)
               : std::nullopt;
  const auto *Product = dyn_cast<SCEVMulExpr>(S);
  const auto *Factor = Product && Product->getNumOperands() == 2
                           ? dyn_cast<SCEVConstant>(Product->getOperand(0))
                           : nullptr;
  if (!Factor || Factor->getAPInt().getSignificantBits() > 16)
    return std::nullopt;
  int64_t By = Factor->getAPInt().getSExtValue();
  std::optional<int64_t> B =
      bound(Product->getOperand(1), By < 0 ? !Upper : Upper, Depth + 1);
  return B ? std::optional(*B * By) : std::nullopt;
}

} // namespace

std::optional<int64_t> upperBound(const SCEV *Count) {
  return bound(Count, /*Upper=*/true, 0);
}

} // namespace clrewrite::measure
