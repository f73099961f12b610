// The note is found in the ELF file, and its MessagePack map is read.
#include "AmdNote.h"
#include "Elf.h"

namespace clrewrite::device {

static Count member(const Json &Kernel, const char *Name) {
  auto Found = Kernel.find(Name);
  if (Found == Kernel.end() || !Found->is_number_integer() ||
      (!Found->is_number_unsigned() && Found->get<int64_t>() < 0))
    return std::nullopt;
  return Found->get<uint64_t>();
}

static Figures figuresOf(const Json &Kernel) {
  Figures F;
  F.From = "AMDGPU metadata note";
  F.Vgprs = member(Kernel, ".vgpr_count");
  F.Agprs = member(Kernel, ".agpr_count");
  F.Sgprs = member(Kernel, ".sgpr_count");
  F.VgprSpills = member(Kernel, ".vgpr_spill_count");
  F.SgprSpills = member(Kernel, ".sgpr_spill_count");
  F.ScratchBytes = member(Kernel, ".private_segment_fixed_size");
  F.LdsBytes = member(Kernel, ".group_segment_fixed_size");
  F.SimdWidth = member(Kernel, ".wavefront_size");
  return F;
}

FiguresByKernel readAmdNote(std::string_view Blob) {
  FiguresByKernel Found;
  for (const ElfView &Elf : ElfView::findAll(Blob, MachineAmdgpu)) {
    auto Note = Elf.note("AMDGPU", 32);
    if (!Note)
      continue;
    Json Metadata = Json::from_msgpack(Note->begin(), Note->end(),
                                       /*strict=*/false,
                                       /*allow_exceptions=*/false);
    auto Kernels =
        Metadata.is_object() ? Metadata.find("amdhsa.kernels") : Metadata.end();
    if (!Metadata.is_object() || Kernels == Metadata.end() ||
        !Kernels->is_array())
      continue;
    for (const Json &Kernel : *Kernels)
      if (Kernel.is_object() && Kernel.contains(".name") &&
          Kernel[".name"].is_string())
        Found[Kernel[".name"].get<std::string>()] = figuresOf(Kernel);
    return Found;
  }
  return Found;
}

} // namespace clrewrite::device
