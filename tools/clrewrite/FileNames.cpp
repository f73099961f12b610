// The options --end-of-options, --hook and --files-from, which decide what of
// the words names a file.
#include "FileNames.h"
#include "pipeline/InputUnits.h"
#include "source/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <deque>

using namespace llvm;

namespace clrewrite::cli {

static bool isThere(StringRef Name) {
  sys::fs::file_status Status;
  return !sys::fs::status(Name, Status, /*follow=*/false);
}

static std::string asName(StringRef Word) {
  return (Word.starts_with("-") ? "./" : "") + Word.str();
}

static bool isOption(StringRef Word, StringRef Name) {
  return Word.consume_front("-") && (Word.consume_front("-"), Word == Name);
}

/// The error for a word that is both.
static std::string ambiguous(StringRef Word) {
  return "'" + printable(Word) +
         "' is an option, and the name of a file here; put --end-of-options "
         "between options and names of files, or ./ before the name";
}

static std::string inHook(MutableArrayRef<char *> Words, size_t &First) {
  for (First = 0; First < Words.size(); ++First) {
    StringRef Word = Words[First];
    if (isThere(Word))
      return Word.starts_with("-") &&
                     pipeline::sortOf(Word) == pipeline::FileSort::Other
                 ? ambiguous(Word)
                 : "";
    if (Word == "--")
      return "--hook: names of files follow, so that build options go into "
             "--options=\"-D N=16 ...\"";
  }
  return "";
}

std::string separateNames(std::vector<char *> &Words) {
  static std::deque<std::string> Kept; // what Words point to
  size_t End = 1;
  for (; End < Words.size(); ++End) {
    StringRef Word = Words[End];
    if (Word == "--")
      return "";
    if (isOption(Word, "end-of-options") || isOption(Word, "hook"))
      break;
    if (Word.starts_with("-") && Word != "-" && isThere(Word))
      return ambiguous(Word);
  }
  if (End == Words.size())
    return "";
  size_t First = 0;
  if (isOption(Words[End], "hook")) {
    std::string Problem =
        inHook(MutableArrayRef(Words).drop_front(End + 1), First);
    if (!Problem.empty())
      return Problem;
    First += End + 1;
  } else {
    Words.erase(Words.begin() + long(End));
    First = End;
  }
  for (char *&Word : MutableArrayRef(Words).drop_front(First)) {
    Kept.push_back(asName(Word));
    Word = Kept.back().data();
  }
  return "";
}

Expected<std::vector<std::string>> listedFiles(const config::Options &O) {
  auto Buffer = MemoryBuffer::getFileOrSTDIN(O.FilesFrom);
  if (!Buffer)
    return createStringError("--files-from: " + O.FilesFrom + ": " +
                             Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  if (!O.Null && Text.contains('\0'))
    return createStringError("--files-from: " + O.FilesFrom +
                             " holds NUL bytes; give --null where names end "
                             "with them");
  SmallVector<StringRef> Names;
  Text.split(Names, O.Null ? '\0' : '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Out;
  for (StringRef Name : Names)
    Out.push_back(asName(Name));
  return std::move(Out);
}

} // namespace clrewrite::cli
