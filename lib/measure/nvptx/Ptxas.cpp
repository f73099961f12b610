// Running NVIDIA's assembler, and reading what it prints and writes.
#include "measure/nvptx/Ptxas.h"
#include "process/Program.h"
#include "source/OpenFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"
#include <deque>

using namespace llvm;

namespace clrewrite::measure {

std::string findPtxas() {
  ErrorOr<std::string> Found = sys::findProgramByName("ptxas");
  return Found ? *Found : "";
}

/// The line that says why ptxas failed, without its own prefix.
static std::string reasonIn(StringRef Log, StringRef Otherwise) {
  SmallVector<StringRef> Lines;
  Log.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Mark : {"error", "fatal"})
    for (StringRef Line : Lines)
      if (Line.contains(Mark))
        return "ptxas: " + Line.trim().take_front(200).str();
  return "ptxas: " + Otherwise.str();
}

/// Adds each kernel's code, which has a section of its own in a cubin.
static void addCode(StringRef CubinPath,
                    std::map<std::string, Assembled> &Into) {
  auto Buffer = MemoryBuffer::getFile(CubinPath);
  if (!Buffer)
    return;
  auto File = object::ObjectFile::createObjectFile(**Buffer);
  if (!File) {
    consumeError(File.takeError());
    return;
  }
  for (const object::SectionRef &Section : (*File)->sections()) {
    Expected<StringRef> Name = Section.getName();
    Expected<StringRef> Code = Section.getContents();
    if (!Name || !Code) {
      consumeError(Name.takeError());
      consumeError(Code.takeError());
      continue;
    }
    if (!Name->consume_front(".text."))
      continue;
    if (auto It = Into.find(Name->str()); It != Into.end()) {
      It->second.CodeBytes = unsigned(Code->size());
      It->second.CodeHash = utohexstr(xxh3_64bits(*Code));
    }
  }
}

Expected<std::map<std::string, Assembled>>
assemble(StringRef Ptxas, StringRef Ptx, StringRef Arch,
         const process::ChildLimits &Limits) {
  FilesAgain ForPtxas;
  SmallString<128> In, Cubin;
  int FD = -1;
  std::deque<FileRemover> Removers;
  for (auto [Path, Suffix] : {std::pair(&In, "ptx"), {&Cubin, "cubin"}}) {
    if (std::error_code EC =
            sys::fs::createTemporaryFile("clrewrite", Suffix, FD, *Path))
      return createStringError("cannot make a temporary file: " + EC.message());
    Removers.emplace_back(*Path);
    raw_fd_ostream OS(FD, /*shouldClose=*/true);
    if (Path == &In)
      OS << Ptx;
    OS.close();
    if (OS.has_error()) {
      std::string Why = OS.error().message();
      OS.clear_error(); // else LLVM ends the process
      return createStringError("cannot write a temporary file: " + Why +
                               "; make room where TMPDIR is");
    }
  }
  process::ProgramResult Ran =
      process::runProgram({Ptxas.str(), "-v", ("-arch=" + Arch).str(),
                           In.str().str(), "-o", Cubin.str().str()},
                          Limits);
  const std::string Said = Ran.Output + Ran.Errors;
  if (Ran.Status == process::ChildResult::TimedOut)
    return createStringError("ptxas: " + Ran.Problem);
  if (Ran.Status != process::ChildResult::Done)
    return createStringError(reasonIn(Said, Ran.Problem));
  std::map<std::string, Assembled> Out;
  for (auto &[Name, Figures] : ptxas::parsePtxasLog(Said))
    Out[Name].Figures = Figures;
  addCode(Cubin, Out);
  return Out;
}

} // namespace clrewrite::measure
