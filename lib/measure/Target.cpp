// Naming targets, with LLVM's own list of processors.
#include "measure/Target.h"
#include "measure/nvptx/NvidiaLimits.h"
#include "measure/r600/R600Limits.h"
#include "source/Nearest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::measure {

Expected<Target> parseTarget(StringRef Name) {
  if (Name == "device" || Name.starts_with("device:"))
    return Target{Name.str(), Name.drop_front(6).ltrim(':').str(),
                  TargetKind::Device};
  if (nvidiaLimits(Name.lower()))
    return Target{Name.lower(), Name.lower(), TargetKind::Nvptx};
  AMDGPU::GPUKind Kind = AMDGPU::parseArchAMDGCN(Name.lower());
  if (Kind != AMDGPU::GK_NONE)
    return Target{Name.lower(), AMDGPU::getArchNameAMDGCN(Kind).str()};
  if (const R600Processor *P = r600Processor(Name.lower()))
    return Target{Name.lower(), P->Name.str(), TargetKind::R600};
  if (AMDGPU::parseArchR600(Name.lower()) != AMDGPU::GK_NONE)
    return createStringError("target '%s' is older than Evergreen (Radeon HD "
                             "5000), and LLVM compiles no OpenCL C for it",
                             Name.str().c_str());
  SmallVector<StringRef, 128> All;
  AMDGPU::fillValidArchListAMDGCN(All);
  for (const R600Processor &P : r600Table())
    All.push_back(P.Name);
  for (const NvidiaLimits &L : nvidiaTable())
    All.push_back(L.Arch);
  StringRef Near = nearest(Name.lower(), All);
  std::string Hint =
      Near.empty() ? "" : ("; did you mean '" + Near + "'?").str();
  return createStringError("unknown target '%s'%s (known: device %s)",
                           Name.str().c_str(), Hint.c_str(),
                           join(All, " ").c_str());
}

bool Target::mayBeAmd() const {
  if (Kind != TargetKind::Device)
    return Kind == TargetKind::Amdgcn;
  return Vendor.empty() || StringRef(Vendor).contains("AMD") ||
         StringRef(Vendor).contains("Advanced Micro Devices");
}

unsigned Target::registersUnder(unsigned Limit) const {
  for (StringRef WithAgprs : {"gfx908", "gfx90a", "gfx94", "gfx95"})
    if (StringRef(Cpu).starts_with(WithAgprs))
      return 2 * Limit;
  return Limit;
}

} // namespace clrewrite::measure
