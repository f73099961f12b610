// The OpenCL layer: what the ICD loader calls, and where its state begins.
//
// The loader loads a layer that OPENCL_LAYERS names, hands it the driver's
// functions and uses what it gets back instead. Where nothing is asked of this
// one it gives back the very table that it got.
#include "Layer.h"
#include "plan/Stage.h"
#include <CL/cl_layer.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

namespace clrewrite::layer {

cl_icd_dispatch Next;

static Layer *TheLayer;
static std::atomic<bool> InForkedChild{false};

Layer *state() {
  return InForkedChild.load(std::memory_order_relaxed) ? nullptr : TheLayer;
}

static std::string environment(const char *Name) {
  const char *Value = getenv(Name);
  return Value ? Value : "";
}

bool readFile(const std::string &Path, std::string &Text, size_t Most) {
  FILE *F = fopen(Path.c_str(), "re");
  if (!F)
    return false;
  char Piece[65536];
  Text.clear();
  for (size_t N;
       Text.size() <= Most && (N = fread(Piece, 1, sizeof Piece, F)) > 0;)
    Text.append(Piece, N);
  bool Good = !ferror(F);
  fclose(F);
  return Good;
}

cl_int answer(const void *Bytes, size_t Size, size_t ValueSize, void *Value,
              size_t *SizeRet) {
  if (Value && ValueSize < Size)
    return CL_INVALID_VALUE;
  if (Value && Size)
    memcpy(Value, Bytes, Size);
  if (SizeRet)
    *SizeRet = Size;
  return CL_SUCCESS;
}

/// Makes the state of capturing and swapping where the environment asks for
/// that; else null.
static Layer *makeState() {
  Folder::Settings S;
  S.Path = environment("CLREWRITE_CAPTURE");
  std::string Swap = environment("CLREWRITE_LAYER_SWAP"), SwapFolder;
  if (char *Path = Swap.empty() ? nullptr : realpath(Swap.c_str(), nullptr)) {
    SwapFolder = Path; // the program may change its folder
    free(Path);
  }
  if (S.Path.empty() && SwapFolder.empty())
    return nullptr;
  auto L = std::make_unique<Layer>();
  L->SwapFolder = SwapFolder;
  if (S.Path.empty())
    return L.release();
  S.DataSamples = unsigned(
      strtoul(environment("CLREWRITE_CAPTURE_DATA").c_str(), nullptr, 10));
  S.MaxBytes =
      strtoull(environment("CLREWRITE_CAPTURE_MAX_SIZE").c_str(), nullptr, 10);
  if (S.MaxBytes == 0)
    S.MaxBytes = uint64_t(1) << 30;
  std::string Why;
  L->Out = Folder::open(S, Why);
  if (!L->Out)
    fprintf(stderr, "clrewrite-layer: nothing is captured: %s\n", Why.c_str());
  return L->Out || !SwapFolder.empty() ? L.release() : nullptr;
}

static void atEnd() {
  if (!InForkedChild)
    planned::reportLaunches();
  if (Layer *L = state(); L && L->Out)
    L->Out->end();
}

/// The driver's table with the layer's functions in it, as long as the
/// driver's: the plan's above the driver's, and above both those that capture.
static const cl_icd_dispatch *wrapped(const cl_icd_dispatch *Target,
                                      cl_uint Entries) {
  size_t Size = Entries * sizeof(void *);
  memcpy(&Next, Target, Size < sizeof Next ? Size : sizeof Next);
  if (planned::stage())
    planned::wrapAll(Next);
  cl_icd_dispatch Ours = Next;
  if (TheLayer)
    wrapPrograms(Ours);
  if (TheLayer && TheLayer->Out) {
    wrapBuilds(Ours);
    wrapKernels(Ours);
    wrapMemory(Ours);
    wrapSamplers(Ours);
    wrapSvm(Ours);
    wrapQueues(Ours);
    wrapWaits(Ours);
    wrapLaunches(Ours);
  }
  // For as long as the process lives.
  void *Table = malloc(Size < sizeof Ours ? sizeof Ours : Size);
  memcpy(Table, Target, Size);
  memcpy(Table, &Ours, Size < sizeof Ours ? Size : sizeof Ours);
  return static_cast<const cl_icd_dispatch *>(Table);
}

} // namespace clrewrite::layer

using namespace clrewrite::layer;

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info Name,
                                                        size_t ValueSize,
                                                        void *Value,
                                                        size_t *SizeRet) {
  if (Name == CL_LAYER_API_VERSION) {
    cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
    return answer(&Version, sizeof Version, ValueSize, Value, SizeRet);
  }
  if (Name == CL_LAYER_NAME)
    return answer("clrewrite", sizeof "clrewrite", ValueSize, Value, SizeRet);
  return CL_INVALID_VALUE;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *EntriesRet,
            const cl_icd_dispatch **Ours) {
  if (!Target || !EntriesRet || !Ours)
    return CL_INVALID_VALUE;
  *EntriesRet = Entries;
  *Ours = Target;
  // A second time: two names of this layer in OPENCL_LAYERS.
  if (TheLayer || planned::stage())
    return CL_SUCCESS;
  TheLayer = makeState();
  if (std::string Plan = environment("CLREWRITE_PLAN"); !Plan.empty())
    planned::readStage(Plan.c_str());
  if (!TheLayer && !planned::stage())
    return CL_SUCCESS;
  pthread_atfork(nullptr, nullptr, [] { InForkedChild = true; });
  atexit(atEnd);
  *Ours = wrapped(Target, Entries);
  return CL_SUCCESS;
}

/// As Khronos' loader asks since 2025; Debian's headers do not know it yet. The
/// properties, of which none are defined, end with 0.
EXPORTED CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(
    cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *EntriesRet,
    const cl_icd_dispatch **Ours, const cl_ulong *Properties) {
  if (Properties && *Properties)
    return CL_INVALID_VALUE;
  return clInitLayer(Entries, Target, EntriesRet, Ours);
}
