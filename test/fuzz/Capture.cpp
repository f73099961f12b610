// A capture: capture.json, or an events file behind its counts; its first byte
// says how many bytes of those there are. And what is told of it.
#include "Fuzz.h"
#include "capture/CaptureReport.h"
#include "capture/ReadEvents.h"

using namespace clrewrite;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = textOf(Data, Size);
  capture::Capture C;
  if (Text.starts_with("{")) {
    consumeError(capture::readRun(Text, C));
    consumeError(capture::readEvents(Text, "", C));
  } else if (!Text.empty()) {
    size_t Counts = (unsigned char)Text.front();
    Text = Text.drop_front();
    consumeError(
        capture::readEvents(Text.drop_front(std::min(Counts, Text.size())),
                            Text.take_front(Counts), C));
  }
  // What is read is told, as clrewrite capture --report does.
  raw_null_ostream Nowhere;
  capture::writeCaptureText(C, {}, Nowhere);
  capture::writeCaptureJson(C, {}, Nowhere);
  return 0;
}
