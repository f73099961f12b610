// The functions that are called are copied out of a library, with the functions
// and constants that they reach.
#include "measure/llvm/LibrarySubset.h"
#include "measure/llvm/Bitcode.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>
#include <mutex>
#include <tuple>

using namespace llvm;

namespace clrewrite::measure {
namespace {

using PlacesInLibrary = DenseMap<const GlobalValue *, unsigned>;

/// Some global values of a library, and all that they refer to.
class Closure {
public:
  /// Reads the bodies that \p G needs.
  Error add(GlobalValue &G) {
    visit(G);
    while (!Todo.empty()) {
      GlobalValue *At = Todo.pop_back_val();
      if (Error E = At->materialize())
        return E;
      for (const Use &Op : At->operands())
        visit(*Op.get());
      if (auto *F = dyn_cast<Function>(At))
        for (const Instruction &I : instructions(F))
          for (const Use &Op : I.operands())
            visit(*Op.get());
    }
    return Error::success();
  }
  /// All of them, in the order of the library.
  std::vector<GlobalValue *> inOrder(const PlacesInLibrary &Places) const {
    std::vector<GlobalValue *> Out = Members;
    llvm::sort(Out, [&](GlobalValue *A, GlobalValue *B) {
      return Places.lookup(A) < Places.lookup(B);
    });
    return Out;
  }

private:
  DenseSet<const Value *> Seen;
  std::vector<GlobalValue *> Members;
  SmallVector<GlobalValue *, 32> Todo;

  void visit(Value &V) {
    if (!isa<Constant>(V) || isa<ConstantData>(V) || !Seen.insert(&V).second)
      return;
    if (auto *G = dyn_cast<GlobalValue>(&V)) {
      Members.push_back(G);
      return Todo.push_back(G);
    }
    for (const Use &Op : cast<Constant>(V).operands())
      visit(*Op.get());
  }
};

/// Makes a module of a part of a library.
class Copy {
public:
  Copy(Module &From, std::vector<GlobalValue *> Part)
      : From(From), Part(std::move(Part)),
        Into(std::make_unique<Module>(From.getModuleIdentifier(),
                                      From.getContext())) {
    Into->setSourceFileName(From.getSourceFileName());
    Into->setDataLayout(From.getDataLayout());
    Into->setTargetTriple(From.getTargetTriple());
  }

  std::unique_ptr<Module> make() {
    // All have to be there before bodies can name them.
    for (const GlobalValue *G : Part)
      Map[G] = declare(*G);
    for (const GlobalValue *G : Part)
      define(*G);
    for (const NamedMDNode &N : From.named_metadata()) {
      NamedMDNode *New = Into->getOrInsertNamedMetadata(N.getName());
      for (const MDNode *Operand : N.operands())
        New->addOperand(MapMetadata(Operand, Map));
    }
    return std::move(Into);
  }

private:
  Module &From;
  std::vector<GlobalValue *> Part;
  std::unique_ptr<Module> Into;
  ValueToValueMapTy Map;

  /// Gives \p New the attributes and the comdat of \p Old.
  template <typename Sort> Sort *like(const Sort &Old, Sort *New) {
    New->copyAttributesFrom(&Old);
    if (const Comdat *C = Old.getComdat(); C && isa<GlobalObject>(New)) {
      Comdat *Own = Into->getOrInsertComdat(C->getName());
      Own->setSelectionKind(C->getSelectionKind());
      cast<GlobalObject>(New)->setComdat(Own);
    }
    return New;
  }

  GlobalValue *declare(const GlobalValue &G) {
    Type *T = G.getValueType();
    if (auto *V = dyn_cast<GlobalVariable>(&G))
      return like(*V, new GlobalVariable(*Into, T, V->isConstant(),
                                         V->getLinkage(), nullptr, V->getName(),
                                         nullptr, V->getThreadLocalMode(),
                                         V->getAddressSpace()));
    if (auto *F = dyn_cast<Function>(&G))
      return like(*F, Function::Create(cast<FunctionType>(T), F->getLinkage(),
                                       F->getAddressSpace(), F->getName(),
                                       Into.get()));
    auto &A = cast<GlobalAlias>(G); // GPUs have no resolvers
    return like(A, GlobalAlias::create(T, A.getAddressSpace(), A.getLinkage(),
                                       A.getName(), Into.get()));
  }

  void define(const GlobalValue &G) {
    if (auto *F = dyn_cast<Function>(&G)) {
      if (!F->isDeclaration())
        cloneBody(*F, *cast<Function>(Map[F]));
    } else if (auto *V = dyn_cast<GlobalVariable>(&G)) {
      auto *New = cast<GlobalVariable>(Map[V]);
      if (V->hasInitializer())
        New->setInitializer(MapValue(V->getInitializer(), Map));
      New->copyMetadata(V, 0);
    } else if (auto *A = dyn_cast<GlobalAlias>(&G)) {
      cast<GlobalAlias>(Map[A])->setAliasee(MapValue(A->getAliasee(), Map));
    }
  }

  void cloneBody(const Function &Old, Function &New) {
    for (auto [OldArg, NewArg] : zip(Old.args(), New.args())) {
      NewArg.setName(OldArg.getName());
      Map[&OldArg] = &NewArg;
    }
    SmallVector<ReturnInst *, 8> Returns;
    CloneFunctionInto(&New, &Old, Map, CloneFunctionChangeType::DifferentModule,
                      Returns);
  }
};

/// Numbers what \p Library has.
PlacesInLibrary placesIn(const Module &Library) {
  PlacesInLibrary Out;
  for (const GlobalValue &G : Library.global_values())
    Out[&G] = Out.size();
  return Out;
}

} // namespace

/// What is open is shared, and reading a function's body changes it.
static std::mutex OneAtATime;

struct LibrarySubsets::Library {
  LLVMContext Context;
  std::unique_ptr<Module> Whole;
  /// The place of each function and variable in the order of the library;
  /// empty before it is needed.
  PlacesInLibrary Places;
};

Error LibrarySubsets::open(const std::string &Path) {
  using State =
      std::tuple<std::string, sys::fs::UniqueID, uint64_t, sys::TimePoint<>>;
  static auto &Open = *new std::map<State, Library>;

  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return createStringError(Path + ": " + EC.message());
  std::lock_guard Lock(OneAtATime);
  Library &L = Open[{Path, Status.getUniqueID(), Status.getSize(),
                     Status.getLastModificationTime()}];
  if (!L.Whole) {
    auto Whole = openBitcode(Path, L.Context);
    if (!Whole)
      return Whole.takeError();
    L.Whole = std::move(*Whole);
  }
  Libraries.push_back(&L);
  return Error::success();
}

void LibrarySubsets::eachName(const std::function<void(StringRef)> &Use) const {
  for (const Library *L : Libraries)
    for (const Function &F : *L->Whole)
      Use(F.getName());
}

/// Makes the subsets anew where \p M calls something that they lack. After an
/// error there are none.
Error LibrarySubsets::prepare(const Module &M) {
  bool New = Bitcode.empty();
  for (const GlobalValue &G : M.global_values())
    if (G.isDeclaration() && !G.getName().starts_with("llvm."))
      New |= Asked.insert(G.getName()).second;
  if (!New)
    return Error::success();
  Error E = cut();
  if (E)
    Bitcode.clear();
  return E;
}

Error LibrarySubsets::cut() {
  std::lock_guard Lock(OneAtATime);
  Bitcode.clear();
  StringSet<> Names = Asked;
  for (Library *L : Libraries) {
    if (L->Places.empty()) {
      if (Error E = L->Whole->materializeMetadata())
        return E;
      L->Places = placesIn(*L->Whole);
    }
    Closure Part;
    for (const auto &Name : Names)
      if (GlobalValue *G = L->Whole->getNamedValue(Name.getKey()))
        if (Error E = Part.add(*G))
          return E;
    std::unique_ptr<Module> Small =
        Copy(*L->Whole, Part.inOrder(L->Places)).make();
    for (const GlobalValue &G : Small->global_values())
      if (G.isDeclaration())
        Names.insert(G.getName());
    raw_string_ostream OS(Bitcode.emplace_back());
    WriteBitcodeToFile(*Small, OS);
  }
  return Error::success();
}

Error LibrarySubsets::link(Module &M) {
  if (Error E = prepare(M))
    return E;
  for (const std::string &Each : Bitcode) {
    auto Small =
        getLazyBitcodeModule(MemoryBufferRef(Each, "subset"), M.getContext());
    if (!Small)
      return Small.takeError();
    if (!linkBitcode(M, std::move(*Small)))
      return createStringError("the built-in library does not link");
  }
  return Error::success();
}

} // namespace clrewrite::measure
