// An answer of a device program.
#include "Fuzz.h"
#include "opencl/DeviceClient.h"

using namespace clrewrite;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  opencl::DeviceAnswer A = opencl::readAnswer(textOf(Data, Size), 1);
  if (!A.ok())
    opencl::reasonOf(A);
  return 0;
}
