// A kernel's figures as the answer holds them.
#include "Figures.h"

namespace clrewrite::device {

static Json orNull(const Count &C) { return C ? Json(*C) : Json(nullptr); }

Json Figures::toJson() const {
  Json J = Json::object();
  J["vgprs"] = orNull(Vgprs);
  J["agprs"] = orNull(Agprs);
  J["sgprs"] = orNull(Sgprs);
  J["vgpr_spills"] = orNull(VgprSpills);
  J["sgpr_spills"] = orNull(SgprSpills);
  J["grf_count"] = orNull(GrfCount);
  J["spill_bytes"] = orNull(SpillBytes);
  J["spill_load_bytes"] = orNull(SpillLoadBytes);
  J["stack_bytes"] = orNull(StackBytes);
  J["scratch_bytes"] = orNull(ScratchBytes);
  J["private_bytes"] = orNull(PrivateBytes);
  J["lds_bytes"] = orNull(LdsBytes);
  J["simd_width"] = orNull(SimdWidth);
  J["work_group_size_max"] = orNull(WorkGroupMax);
  J["preferred_multiple"] = orNull(PreferredMultiple);
  J["compile_work_group_size"] =
      CompileWorkGroup ? Json(*CompileWorkGroup) : Json(nullptr);
  J["from"] = From;
  return J;
}

} // namespace clrewrite::device
