// Walking a folder for sources.
#include "pipeline/SourceTree.h"
#include "frontend/RawStrings.h"
#include "pipeline/InputUnits.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::pipeline {

constexpr uint64_t MostBytes = 4 << 20;
/// A shorter text may stand in a program by chance.
constexpr size_t FewestBytes = 40;

namespace {

/// What is OpenCL C by its name, or by custom a part of it.
bool isOpenCL(StringRef Path) {
  FileSort S = sortOf(Path);
  return S == FileSort::OpenCL || S == FileSort::Header ||
         sys::path::extension(Path).lower() == ".inc";
}

void addFile(const std::string &Path, StringRef Within,
             std::vector<PlacedText> &Out) {
  Expected<std::string> Text = readText(Path, Within);
  if (!Text) {
    consumeError(Text.takeError());
    return;
  }
  bool OpenCL = isOpenCL(Path);
  // Some projects wrap their OpenCL C files for #include in C++.
  if (!OpenCL || StringRef(*Text).contains("R\""))
    for (frontend::RawString &Raw : frontend::rawStringsIn(*Text))
      Out.push_back({Path, Part{Raw.Begin, Raw.End, Raw.Closing},
                     Text->substr(Raw.Begin, Raw.End - Raw.Begin)});
  if (!OpenCL)
    for (frontend::PlainString &P : frontend::plainStringsIn(*Text))
      Out.push_back(
          {Path, Part{P.Begin, P.End, "", /*Escaped=*/true},
           frontend::unescaped(StringRef(*Text).slice(P.Begin, P.End))});
  // A header may be OpenCL's as well.
  if (!isHostProgram(Path))
    Out.push_back({Path, std::nullopt, std::move(*Text)});
}

bool isCapture(StringRef Folder) {
  SmallString<256> Blobs(Folder), Used(Folder);
  sys::path::append(Blobs, "blobs");
  sys::path::append(Used, "used.bin");
  return sys::fs::is_directory(Blobs) && sys::fs::exists(Used);
}

std::string nameOf(const PlacedText &T) {
  return T.Within ? "a string of " + T.Path : T.Path;
}

} // namespace

std::vector<PlacedText> textsUnder(StringRef Root, StringRef Without) {
  std::vector<PlacedText> Out;
  const std::string Real = realPath(Root);
  std::error_code Code;
  for (sys::fs::recursive_directory_iterator
           It(Root, Code, /*follow_symlinks=*/false),
       End;
       It != End && !Code; It.increment(Code)) {
    StringRef Name = sys::path::filename(It->path());
    bool IsFolder = It->type() == sys::fs::file_type::directory_file;
    if (IsFolder) {
      if (Name.starts_with(".") || Name == "node_modules" ||
          sys::fs::equivalent(It->path(), Without) || isCapture(It->path()))
        It.no_push();
      continue;
    }
    if (sortOf(Name) == FileSort::Other ||
        It->type() != sys::fs::file_type::regular_file)
      continue;
    ErrorOr<sys::fs::basic_file_status> Status = It->status();
    if (!Status || Status->getSize() > MostBytes)
      continue;
    std::string Path = It->path();
    if (StringRef(Path).starts_with("./"))
      Path.erase(0, 2);
    addFile(Path, Real, Out);
  }
  llvm::erase_if(Out, [](const PlacedText &T) {
    return StringRef(T.Text).trim().size() < FewestBytes;
  });
  llvm::sort(Out, [](const PlacedText &A, const PlacedText &B) {
    return std::tuple(B.Text.size(), A.Path) <
           std::tuple(A.Text.size(), B.Path);
  });
  return Out;
}

std::vector<Piece> piecesOf(StringRef Text, ArrayRef<PlacedText> Known,
                            std::vector<std::string> &Notes) {
  std::vector<Piece> Out;
  for (const PlacedText &Place : Known) {
    size_t At = Text.find(Place.Text);
    if (At == StringRef::npos)
      continue;
    size_t End = At + Place.Text.size();
    auto Over = find_if(
        Out, [&](const Piece &P) { return At < P.End && P.Begin < End; });
    if (Over != Out.end()) {
      if (Over->Place->Text == Place.Text)
        Notes.push_back(nameOf(Place) + " has the text of " +
                        nameOf(*Over->Place) + "; only the latter is edited");
      continue;
    }
    if (Text.find(Place.Text, At + 1) != StringRef::npos)
      Notes.push_back("a program holds the text of " + nameOf(Place) +
                      " more than once; it is not edited there");
    else
      Out.push_back({At, End, &Place});
  }
  return Out;
}

} // namespace clrewrite::pipeline
