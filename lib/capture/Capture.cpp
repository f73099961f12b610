// Reading a capture folder, blobs and what belongs to the whole run.
#include "capture/Capture.h"
#include "ReadEvents.h"
#include "source/Beneath.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite::capture {

BlobHash blobHash(StringRef Bytes) {
  XXH128_hash_t H =
      xxh3_128bits(ArrayRef<uint8_t>(Bytes.bytes_begin(), Bytes.bytes_end()));
  return formatv("{0:x-16}{1:x-16}", H.high64, H.low64).str();
}

bool isBlobHash(StringRef Text) {
  constexpr size_t Digits = 32;
  return Text.size() == Digits && all_of(Text, [](char C) {
           return isDigit(C) || (C >= 'a' && C <= 'f');
         });
}

bool CapturedArgument::hasFlag(StringRef Flag) const {
  return is_contained(Flags, Flag);
}

std::optional<double> CapturedLaunch::totalNs() const {
  if (Counts.Timed == 0)
    return std::nullopt;
  double Each = Counts.Weights ? double(Counts.WeightedNs) / Counts.Weights
                               : double(Counts.Nanoseconds) / Counts.Timed;
  return Each * std::max(Counts.Launches, Counts.Timed);
}

bool CapturedLaunch::hasData(unsigned Sample) const {
  return any_of(Data,
                [&](const CapturedData &D) { return D.Sample == Sample; });
}

static std::string inFolder(StringRef Folder, const Twine &Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return std::string(Path);
}

/// A capture's own bound is 1 GiB unless its maker was told otherwise.
static constexpr uint64_t MostBytes = 4ull << 30;

/// The bytes of a file of the capture; empty where there is none.
static std::string contents(StringRef Folder, const Twine &Name) {
  Expected<std::string> Text =
      readBeneath(Folder.str(), Name.str(), Links::None, MostBytes);
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError());
  return "";
}

Expected<std::string> blobIn(const std::string &Folder, StringRef Hash) {
  if (!isBlobHash(Hash))
    return createStringError(Folder +
                             ": a blob's name is 32 hex digits, not '" +
                             printable(Hash) + "'; capture the program again");
  Expected<std::string> Bytes =
      readBeneath(Folder, ("blobs/" + Hash).str(), Links::None, MostBytes);
  if (Bytes && blobHash(*Bytes) != Hash)
    return createStringError(inFolder(Folder, "blobs/" + Hash) +
                             ": its bytes are not those of its name; capture "
                             "the program again");
  return Bytes;
}

Expected<std::string> Capture::text(const CapturedProgram &P) const {
  std::string Text;
  for (const BlobHash &Each : P.Strings) {
    Expected<std::string> Piece = blob(Each);
    if (!Piece)
      return Piece.takeError();
    Text += *Piece;
  }
  return Text;
}

std::string Capture::pathOf(const Twine &Name) const {
  return inFolder(Folder, Name);
}

std::optional<std::string> Capture::rewritten(StringRef Hash) const {
  Expected<std::string> Text =
      isBlobHash(Hash)
          ? readBeneath(Folder, ("rewritten/" + Hash + ".cl").str(),
                        Links::None)
          : createStringError("");
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError());
  return std::nullopt;
}

Error Capture::put(const Twine &Name, StringRef Text) const {
  return putBeneath(Folder, Name.str(), Text);
}

Error Capture::remove(StringRef Name) const {
  return removeBeneath(Folder, Name.str());
}

Error Capture::layHeaders(const CapturedBuild &B, StringRef Into) const {
  // Within the capture no link is followed, not by its folders either.
  StringRef Below = Into;
  bool Own = Below.consume_front(Folder) &&
             (Below.starts_with("/") || StringRef(Folder).ends_with("/"));
  for (const CapturedBuild::Header &H : B.Headers) {
    SmallString<256> Path(H.Name);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    if (Path.empty() || sys::path::is_absolute(Path) ||
        *sys::path::begin(Path) == "..")
      return createStringError("a header's name leads outside: " + H.Name);
    Expected<std::string> Text = text(Programs[H.Program]);
    if (!Text)
      return Text.takeError();
    if (Error E = Own ? put(Below.ltrim('/') + "/" + Path, *Text)
                      : putInFolders(inFolder(Into, Path), *Text))
      return E;
  }
  return Error::success();
}

Error readRun(StringRef Text, Capture &C) {
  if (Text.empty()) // it may be missing
    return Error::success();
  Expected<json::Value> V = parseJson(Text);
  if (!V)
    return createStringError("%s/capture.json: is no JSON that can be read "
                             "(%s); record the program again",
                             C.Folder.c_str(), toString(V.takeError()).c_str());
  const json::Object *Run = V->getAsObject();
  if (!Run || Run->getInteger("version") != 1)
    return createStringError("%s: capture.json is of another version than 1",
                             C.Folder.c_str());
  if (const json::Array *Words = Run->getArray("command"))
    for (const json::Value &W : *Words)
      C.Command.push_back(W.getAsString().value_or("").str());
  C.Directory = Run->getString("directory").value_or("").str();
  if (auto Code = Run->getInteger("exit_code"))
    C.ExitCode = int(*Code);
  if (auto Signal = Run->getInteger("signal"))
    C.Signal = int(*Signal);
  return Error::success();
}

Expected<Capture> readCapture(StringRef Folder) {
  Capture C;
  C.Folder = Folder.str();
  std::vector<std::string> Names;
  std::error_code Failed;
  for (sys::fs::directory_iterator It(Folder, Failed), End;
       It != End && !Failed; It.increment(Failed)) {
    StringRef Name = sys::path::filename(It->path());
    if (Name.starts_with("events-") && Name.ends_with(".jsonl"))
      Names.push_back(Name.str());
  }
  if (Failed)
    return createStringError(Failed, "%s: %s", C.Folder.c_str(),
                             Failed.message().c_str());
  if (Error E = readRun(contents(Folder, "capture.json"), C))
    return std::move(E);
  if (Names.empty() && C.Command.empty())
    return createStringError("%s: no capture", C.Folder.c_str());
  sort(Names);
  for (const std::string &Name : Names) {
    StringRef Middle = StringRef(Name).drop_front(strlen("events-"));
    Middle.consume_back(".jsonl");
    if (Error E = readEvents(contents(Folder, Name),
                             contents(Folder, "counts-" + Middle + ".bin"), C))
      return std::move(E);
  }
  return C;
}

} // namespace clrewrite::capture
