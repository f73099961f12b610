// Since LLVM 20 a matched comparison carries the signs of its operands beside
// its predicate.
#pragma once

#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 20
#include_next "llvm/IR/CmpPredicate.h"
#else
#include "llvm/IR/InstrTypes.h"

namespace llvm {
using CmpPredicate = CmpInst::Predicate;
} // namespace llvm
#endif
