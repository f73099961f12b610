// Any bytes, through JSON and back.
#include "Fuzz.h"
#include "source/BoundedJson.h"
#include "source/Edit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clrewrite;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Bytes = textOf(Data, Size);
  std::string Text = textOfBytes(Bytes);
  if (!json::isUTF8(Text) || bytesOfText(Text) != Bytes)
    report_fatal_error("bytes were changed");
  bytesOfText(Bytes);
  drop(parseJson(Bytes));
  // An edit that puts a text in its own place leaves the line ends alone.
  if (!Bytes.contains('\n') && !Bytes.contains('\r'))
    if (cantFail(applyEdits(Bytes, Edit{0, unsigned(Size), Bytes.str()})) !=
        Bytes)
      report_fatal_error("an edit changed bytes");
  return 0;
}
