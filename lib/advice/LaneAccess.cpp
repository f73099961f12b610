// Strides of the lanes' accesses, who comes to them, and telling of them.
#include "advice/LaneAccess.h"
#include "rewrite/ast/WorkItemUse.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace clrewrite::advice {

uint64_t groupWidth(const FunctionDecl &F, const Adviser &To,
                    uint64_t Unknown) {
  std::vector<std::string> Kernels = To.Code.kernelsOf(F);
  std::optional<uint64_t> Width;
  for (const auto &Each : To.Code.Functions) {
    const FunctionDecl &Kernel = *Each.second;
    if (!llvm::is_contained(Kernels, Kernel.getName()))
      continue;
    std::optional<uint64_t> Known;
    auto note = [&](llvm::ArrayRef<uint64_t> Sizes) {
      if (!Sizes.empty())
        Known = std::min(Known.value_or(Sizes[0]), Sizes[0]);
    };
    note(rewrite::requiredGroup(Kernel));
    for (const AdviceFacts::Group &G : To.Facts.Groups)
      if (G.Kernel == Kernel.getName())
        note(G.Local);
    uint64_t Own = Known.value_or(Unknown);
    Width = std::min(Width.value_or(Own), Own);
  }
  return Width.value_or(Unknown);
}

std::string distanceOf(const Access &A, Stride Bytes) {
  bool Whole = Bytes.Constant % A.ElementBytes == 0;
  Bytes.Constant /= A.ElementBytes;
  for (auto &Term : Bytes.Terms) {
    Whole &= Term.second % A.ElementBytes == 0;
    Term.second /= A.ElementBytes;
  }
  return Whole ? "the lanes of a wave are " + Bytes.text() +
                     " elements apart here (the stride of dimension 0's id)"
               : "";
}

void tellOfAccesses(
    const FunctionDecl &F, LangAS Space, const Adviser &To,
    llvm::function_ref<std::string(const Access &, const Frame *)> Why) {
  std::vector<const Frame *> Ways = To.Code.waysTo(F);
  struct Seen {
    SourceLocation At;
    unsigned Count = 0;
  };
  std::map<std::string, Seen> Found; // by message
  std::vector<std::string> Order;
  for (const Access &A : accessesOf(F, Space, To.Context))
    for (const Frame *In : Ways) {
      std::string Message = Why(A, In);
      if (Message.empty())
        continue;
      Message = (A.Writes ? "writes of " : "reads of ") +
                bufferOf(A, To.Context) + " " + Message;
      auto [It, New] = Found.try_emplace(Message, Seen{A.At->getBeginLoc()});
      if (New)
        Order.push_back(Message);
      ++It->second.Count;
      break;
    }
  for (const std::string &Message : Order) {
    const Seen &S = Found[Message];
    To.Tell(S.At, F,
            Message + (S.Count > 1 ? " (" + std::to_string(S.Count) +
                                         " such accesses in " +
                                         F.getNameAsString() + ")"
                                   : ""));
  }
}

} // namespace clrewrite::advice
