// A capture: capture.json, or an events file with its counts. The first byte
// says which, and how many bytes of counts come next.
#include "Fuzz.h"
#include "capture/ReadEvents.h"

using namespace clrewrite;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = textOf(Data, Size);
  Capture C;
  if (Text.starts_with("{")) {
    consumeError(readRun(Text, C));
    consumeError(readEvents(Text, "", C));
  } else if (!Text.empty()) {
    size_t Counts = (unsigned char)Text.front();
    Text = Text.drop_front();
    consumeError(readEvents(Text.drop_front(std::min(Counts, Text.size())),
                            Text.take_front(Counts), C));
  }
  for (const CapturedLaunch &L : C.Launches) {
    L.totalNs();
    L.hasData(0);
  }
  return 0;
}
