// A line reader of .ze_info: indentation says which list an entry belongs to.
#include "ZeInfo.h"
#include "Elf.h"
#include <algorithm>

namespace clrewrite::device {
namespace {

struct Line {
  size_t Indent = 0; ///< of the key, after any "- "
  bool Item = false; ///< starts a list's item
  std::string_view Key, Value;
};

std::string_view trim(std::string_view Text) {
  size_t Start = Text.find_first_not_of(" \t\r");
  if (Start == std::string_view::npos)
    return {};
  return Text.substr(Start, Text.find_last_not_of(" \t\r") + 1 - Start);
}

Line splitLine(std::string_view Text) {
  Line L;
  L.Indent = std::min(Text.find_first_not_of(' '), Text.size());
  std::string_view Rest = Text.substr(L.Indent);
  if (Rest.substr(0, 2) == "- ") {
    L.Item = true;
    Rest.remove_prefix(2);
    L.Indent += 2;
  }
  size_t Colon = Rest.find(':');
  L.Key = trim(Rest.substr(0, Colon));
  if (Colon == std::string_view::npos)
    return L;
  L.Value = trim(Rest.substr(Colon + 1));
  if (L.Value.size() >= 2 && (L.Value[0] == '\'' || L.Value[0] == '"'))
    L.Value = L.Value.substr(1, L.Value.size() - 2);
  return L;
}

Count number(std::string_view Text) {
  if (Text.empty() || Text.size() > 18 ||
      Text.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return std::stoull(std::string(Text));
}

/// One entry of per_thread_memory_buffers.
struct ThreadMemory {
  std::string_view Usage;
  Count Size;
  bool PerWorkItem = false;
};

/// Notes \p M, unless the kernel's environment said so before. Sizes are a
/// hardware thread's where is_simt_thread does not say a work-item's.
void note(Figures &F, const ThreadMemory &M) {
  uint64_t Lanes = M.PerWorkItem ? 1 : F.SimdWidth.value_or(1);
  if (!M.Size)
    return;
  if (M.Usage == "spill_fill_space" && !F.SpillBytes)
    F.SpillBytes = M.Size;
  if ((M.Usage == "private_space" || M.Usage == "single_space") &&
      !F.ScratchBytes)
    F.ScratchBytes = *M.Size / std::max<uint64_t>(Lanes, 1);
}

void take(Figures &F, const Line &L) {
  if (L.Key == "grf_count")
    F.GrfCount = number(L.Value);
  else if (L.Key == "simd_size")
    F.SimdWidth = number(L.Value);
  else if (L.Key == "slm_size")
    F.LdsBytes = number(L.Value);
  else if (L.Key == "spill_size")
    F.SpillBytes = number(L.Value);
  else if (L.Key == "private_size")
    F.ScratchBytes = number(L.Value);
}

} // namespace

FiguresByKernel parseZeInfo(std::string_view Text) {
  FiguresByKernel Found;
  bool InKernels = false;
  size_t KernelIndent = 0;
  Figures *Current = nullptr;
  bool InMemory = false;
  ThreadMemory Memory;
  auto finishMemory = [&] {
    if (Current)
      note(*Current, Memory);
    Memory = {};
  };
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size());
    Line L = splitLine(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
    if (L.Key.empty() || L.Key[0] == '#')
      continue;
    if (L.Indent == 0 || (L.Item && InMemory) || L.Indent == KernelIndent)
      finishMemory();
    if (L.Indent == 0) {
      InKernels = L.Key == "kernels";
      KernelIndent = 0;
      Current = nullptr;
      InMemory = false;
      continue;
    }
    if (!InKernels)
      continue;
    if (L.Item && (!KernelIndent || L.Indent == KernelIndent)) {
      KernelIndent = L.Indent;
      Current = nullptr;
      InMemory = false;
    }
    if (L.Key == "name" && L.Indent == KernelIndent) {
      Current = &Found[std::string(L.Value)];
      Current->From = ".ze_info of the binary";
    } else if (Current && L.Indent == KernelIndent) {
      InMemory = L.Key == "per_thread_memory_buffers";
    } else if (Current && InMemory) {
      if (L.Key == "usage")
        Memory.Usage = L.Value;
      else if (L.Key == "size")
        Memory.Size = number(L.Value);
      else if (L.Key == "is_simt_thread")
        Memory.PerWorkItem = L.Value == "true";
    } else if (Current) {
      take(*Current, L);
    }
  }
  finishMemory();
  return Found;
}

FiguresByKernel readZebin(std::string_view Blob) {
  for (const ElfView &Elf : ElfView::findAll(Blob, MachineIntelGt))
    for (const ElfView::Range &Section : Elf.sections())
      if (Section.Name == ".ze_info")
        return parseZeInfo(Section.Contents);
  return {};
}

} // namespace clrewrite::device
