// What a target leaves to its family.
#include "measure/Target.h"
#include "measure/TargetFamily.h"

using namespace llvm;

namespace clrewrite::measure {

bool Target::isDevice() const { return Family && Family->isDevice(); }

bool Target::mayBeAmd() const {
  if (!isDevice())
    return !Family || Family->takesRegisterLimit();
  return Vendor.empty() || StringRef(Vendor).contains("AMD") ||
         StringRef(Vendor).contains("Advanced Micro Devices");
}

unsigned Target::registersUnder(unsigned Limit) const {
  return Family ? Family->registersUnder(Cpu, Limit) : Limit;
}

} // namespace clrewrite::measure
