// Reading and linking libraries of built-in functions.
#include "measure/llvm/Bitcode.h"
#include "source/Installed.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace clrewrite::measure {

std::string libclcWith(StringRef File, const std::string &Given) {
  std::vector<std::string> Places{Given};
  if (const char *Dir = ::getenv("CLREWRITE_DEVICE_LIBS"))
    Places.push_back(Dir);
  Places.insert(Places.end(),
                {installed("clc"), "/usr/lib/clc", "/usr/share/clc"});
  for (const std::string &Dir : Places)
    if (!Dir.empty() && sys::fs::exists(Dir + File))
      return Dir;
  return "";
}

Expected<std::unique_ptr<Module>> openBitcode(const std::string &Path,
                                              LLVMContext &Context) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Path + ": " + Buffer.getError().message());
  auto M = getOwningLazyBitcodeModule(std::move(*Buffer), Context);
  if (!M)
    return createStringError(Path + ": " + toString(M.takeError()));
  return std::move(*M);
}

bool linkBitcode(Module &M, std::unique_ptr<Module> Library) {
  Library->setDataLayout(M.getDataLayout());
  Library->setTargetTriple(M.getTargetTriple());
  return !Linker::linkModules(M, std::move(Library), Linker::LinkOnlyNeeded,
                              [](Module &Into, const StringSet<> &Names) {
                                for (const auto &Entry : Names)
                                  if (GlobalValue *G =
                                          Into.getNamedValue(Entry.getKey());
                                      G && !G->isDeclaration())
                                    G->setLinkage(GlobalValue::InternalLinkage);
                              });
}

std::string bitcodeOf(const Module &M) {
  std::string Out;
  raw_string_ostream OS(Out);
  WriteBitcodeToFile(M, OS, /*ShouldPreserveUseListOrder=*/true);
  return Out;
}

FunctionSet definedIn(const Module &M) {
  FunctionSet Out;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Out.insert(&F);
  return Out;
}

void adoptTarget(Module &M, const FunctionSet &Own) {
  const Function *Like = nullptr;
  for (Function &F : M)
    if (Own.contains(&F))
      Like = &F;
  if (!Like)
    return;
  for (Function &F : M)
    if (!F.isDeclaration() && !Own.contains(&F))
      for (StringRef Key : {"target-cpu", "target-features", "denormal-fp-math",
                            "denormal-fp-math-f32"})
        if (Attribute A = Like->getFnAttribute(Key); A.isValid())
          F.addFnAttr(A);
}

} // namespace clrewrite::measure
