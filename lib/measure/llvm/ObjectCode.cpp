// Functions and sections of an object file.
#include "measure/llvm/ObjectCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite::measure {

static std::unique_ptr<object::ObjectFile> open(ArrayRef<char> Object) {
  auto File = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(Object.data(), Object.size()), "object"));
  if (File)
    return std::move(*File);
  consumeError(File.takeError());
  return nullptr;
}

/// What \p Value holds; nullopt for an error, which is dropped.
template <typename T> static std::optional<T> valueOf(Expected<T> Value) {
  if (Value)
    return std::move(*Value);
  consumeError(Value.takeError());
  return std::nullopt;
}

std::vector<FunctionCode> functionCode(ArrayRef<char> Object) {
  std::vector<FunctionCode> Out;
  std::unique_ptr<object::ObjectFile> File = open(Object);
  auto *Elf = dyn_cast_or_null<object::ELFObjectFileBase>(File.get());
  if (!Elf)
    return Out;
  for (const object::ELFSymbolRef Symbol : Elf->symbols()) {
    auto Name = valueOf(Symbol.getName());
    auto Section = valueOf(Symbol.getSection());
    auto Offset = valueOf(Symbol.getValue());
    if (!Name || !Section || !Offset || *Section == Elf->section_end() ||
        Symbol.getELFType() != ELF::STT_FUNC)
      continue;
    auto Bytes = valueOf((*Section)->getContents());
    if (!Bytes)
      continue;
    uint64_t Size = Symbol.getSize();
    Out.push_back({Name->str(), *Offset, Size,
                   utohexstr(xxh3_64bits(Bytes->substr(*Offset, Size)))});
  }
  llvm::sort(Out, [](const FunctionCode &A, const FunctionCode &B) {
    return std::pair(A.Offset, A.Name) < std::pair(B.Offset, B.Name);
  });
  return Out;
}

std::map<std::string, std::string> codeHashes(ArrayRef<char> Object) {
  std::map<std::string, std::string> Out;
  for (FunctionCode &F : functionCode(Object))
    Out[F.Name] = std::move(F.Hash);
  return Out;
}

StringRef sectionOf(ArrayRef<char> Object, StringRef Name) {
  std::unique_ptr<object::ObjectFile> File = open(Object);
  if (!File)
    return "";
  for (const object::SectionRef &Section : File->sections())
    if (auto Own = valueOf(Section.getName()); Own && *Own == Name)
      return valueOf(Section.getContents()).value_or("");
  return "";
}

} // namespace clrewrite::measure
