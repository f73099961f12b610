// What a back end complains of while it compiles, by the function that it
// means.
#pragma once

#include "llvm/IR/DiagnosticInfo.h"
#include <map>
#include <string>

namespace clrewrite::measure {

class Problems {
public:
  /// Takes \p Info where it is an error.
  void add(const llvm::DiagnosticInfo &Info);
  bool empty() const { return First.empty(); }
  /// The first one of \p Function, in a line, or of no function that LLVM
  /// names, such as one in assembly; empty where there is none.
  std::string of(const std::string &Function) const;

private:
  std::map<std::string, std::string> First;
};

} // namespace clrewrite::measure
