// A kernel whose body becomes a function of its own, which the kernel calls.
//
//     kernel void blur(global const float *in, int w) {
//       BODY
//     }
//
// becomes, with a caller that a rewrite writes,
//
//     kernel void blur(global const float *in, int w) {
//       void blur_work(global const float *in, int w);
//       CALLER
//     }
//
//     __attribute__((always_inline))
//     void blur_work(global const float *in, int w) {
//       BODY
//     }
//
// The body stays where it is, once.
#pragma once

#include "rewrite/Rewrite.h"

namespace clrewrite::rewrite {

/// The kernel's parameters can be copied. The site is a kernel that has some.
bool isCopyableHead(const Site &S);
bool parametersHaveNames(const Site &S);

/// The conditions under which there is a BodyFunction.
inline const Condition HeadIsCopyable{
    "its head comes from a macro, or a directive stands in its parameters",
    isCopyableHead, WriteItOut};
inline const Condition ParametersHaveNames{"a parameter has no name",
                                           parametersHaveNames};

class BodyFunction {
public:
  /// \p Suffix follows the kernel's name in that of the function.
  BodyFunction(const Site &S, llvm::StringRef Suffix);

  /// Adds a parameter, such as "size_t id", behind those of the kernel.
  void add(llvm::StringRef Parameter) { Parameters += ", " + Parameter.str(); }
  std::string call(llvm::ArrayRef<std::string> Arguments) const;
  /// The names of the kernel's parameters, as arguments.
  std::vector<std::string> arguments() const;
  /// The edit that has the kernel hold the lines \p Before, the function's
  /// declaration, and the lines \p Caller.
  Edit edit(llvm::StringRef Before, llvm::StringRef Caller) const;

private:
  const Site &S;
  std::string Name, Parameters;
};

} // namespace clrewrite::rewrite
