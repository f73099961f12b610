// A plan: which programs a run builds a second time from another text, and
// which launches take the kernels of that text (docs/plans.md).
//
// The OpenCL layer reads it inside of programs that are not ours, so this needs
// neither LLVM nor exceptions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clrewrite::plan {

/// Up to three numbers, one a dimension; a dimension without one has 1.
using Sizes = std::vector<uint64_t>;

/// Two arguments, by index.
using ArgumentPair = std::array<unsigned, 2>;

/// What must hold for a launch to take the planned kernel.
struct Conditions {
  struct Argument {
    unsigned Index;
    std::string Bytes; ///< in memory order
  };
  /// Scalar arguments that must have been set to exactly these bytes.
  std::vector<Argument> Arguments = {};
  /// Pairs of arguments that must be buffers without a byte in common.
  std::vector<ArgumentPair> Apart = {};
  /// What the global size must be a multiple of; empty for anything.
  Sizes Multiple = {};
  /// The local size as the host gives it: any of none here, "null" as an empty
  /// list, or just this.
  std::optional<Sizes> Local = std::nullopt;
};

struct Kernel {
  std::string Name; ///< in the program's own text
  std::string As;   ///< in the planned text
  /// What the global size is divided by, and the local size that takes the
  /// place of the host's; each empty where that stays.
  Sizes Divide = {}, Local = {};
  Conditions When = {};
};

/// One program as a host builds it, on one sort of device.
struct Program {
  std::string Hash;    ///< of its own text: the name that it has as a blob
  std::string Options; ///< as the host gives them
  std::string Device, Driver;
  /// What is built beside it, and with what options.
  std::string Text, Build;
  /// Where several have one name, a launch takes the first whose conditions
  /// hold.
  std::vector<Kernel> Kernels;
};

struct Plan {
  std::vector<Program> Programs;
};

/// A plan that is larger is not read.
inline constexpr size_t MostBytes = size_t(64) << 20;

/// The plan that \p Text holds; none, with the reason in \p Why, where it is
/// none or is beyond the bounds on its size.
std::optional<Plan> readPlan(std::string_view Text, std::string &Why);

/// The document that readPlan reads; \p Tool is the version of who writes it.
/// Its texts must be UTF-8: see isUtf8.
std::string writePlan(const Plan &P, std::string_view Tool);

/// Whether JSON can hold \p Text as it is.
bool isUtf8(std::string_view Text);

/// The size of dimension \p I.
inline uint64_t sizeOr1(const Sizes &S, size_t I) {
  return I < S.size() ? S[I] : 1;
}

} // namespace clrewrite::plan
