// The median ratio of paired times, and the confidence interval that the sign
// test gives for it.
#include "measure/Timing.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace llvm;

namespace clrewrite::measure {

/// The largest k such that fewer than k of \p N coins come up heads with a
/// probability of at most 2.5 %; 0 where there is none.
static size_t rankOf95(size_t N) {
  double Term = std::pow(0.5, double(N)), Sum = Term;
  size_t K = 0;
  while (Sum <= 0.025 && K < N / 2) {
    ++K;
    Term *= double(N - K + 1) / double(K);
    Sum += Term;
  }
  return K;
}

static double median(ArrayRef<double> Sorted) {
  size_t N = Sorted.size();
  return N % 2 ? Sorted[N / 2] : (Sorted[N / 2 - 1] + Sorted[N / 2]) / 2;
}

bool summarise(ArrayRef<double> Ratios, PairedTime &Out) {
  std::vector<double> Sorted(Ratios.begin(), Ratios.end());
  std::sort(Sorted.begin(), Sorted.end());
  size_t K = rankOf95(Sorted.size());
  if (K == 0)
    return false;
  Out.Ratio = median(Sorted);
  Out.RatioLow = Sorted[K - 1];
  Out.RatioHigh = Sorted[Sorted.size() - K];
  return true;
}

json::Value toJSON(const PairedTime &T) {
  return json::Object{{"before_ns", T.BeforeNs},
                      {"after_ns", T.AfterNs},
                      {"ratio", T.Ratio},
                      {"ratio_low", T.RatioLow},
                      {"ratio_high", T.RatioHigh}};
}

std::string describe(const PairedTime &T) {
  return formatv("{0:f1} -> {1:f1} us ({2:f2}x, {3:f2} to {4:f2})",
                 T.BeforeNs / 1000, T.AfterNs / 1000, T.Ratio, T.RatioLow,
                 T.RatioHigh)
      .str();
}

} // namespace clrewrite::measure
