// work-group-size: a work-group that fills its last wave only in part.
#include "advice/AdviceSort.h"
#include "rewrite/ast/WorkItemUse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace clrewrite::advice::work_group_size {
namespace {

uint64_t itemsOf(llvm::ArrayRef<uint64_t> Sizes) {
  uint64_t Items = 1;
  for (uint64_t N : Sizes)
    Items *= N;
  return Items;
}

/// "gfx906 (waves of 64): 36 lanes of 128 idle", a target after another.
std::string idleOn(uint64_t Items, const AdviceFacts &Facts) {
  std::vector<std::string> Parts;
  for (const AdviceFacts::Wave &W : Facts.Waves)
    if (uint64_t Rest = Items % W.Lanes)
      Parts.push_back(W.Target + " (waves of " + std::to_string(W.Lanes) +
                      "): " + std::to_string(W.Lanes - Rest) + " lanes of " +
                      std::to_string(Items - Rest + W.Lanes) + " idle");
  return llvm::join(Parts, ", ");
}

void tell(const FunctionDecl &F, llvm::ArrayRef<uint64_t> Sizes,
          const Adviser &To) {
  uint64_t Items = itemsOf(Sizes);
  std::string Idle = idleOn(Items, To.Facts);
  // One work-item is a task that somebody wants to be one.
  if (Items <= 1 || Idle.empty())
    return;
  std::vector<std::string> Texts;
  for (uint64_t N : Sizes)
    Texts.push_back(std::to_string(N));
  while (Texts.size() > 1 && Texts.back() == "1")
    Texts.pop_back();
  To.Tell(F.getLocation(), F,
          "the work-groups of " + F.getNameAsString() + " have " +
              llvm::join(Texts, "x") +
              (Texts.size() > 1 ? " = " + std::to_string(Items) : "") +
              " work-items, no multiple of a wave: " + Idle);
}

void find(const Adviser &To) {
  for (const auto &[Canonical, F] : To.Code.Functions) {
    if (!isKernel(*F))
      continue;
    if (std::vector<uint64_t> Sizes = rewrite::requiredGroup(*F);
        !Sizes.empty()) {
      tell(*F, Sizes, To);
      continue;
    }
    for (const AdviceFacts::Group &G : To.Facts.Groups)
      if (G.Kernel == F->getName() && !G.Local.empty())
        tell(*F, G.Local, To);
  }
}

} // namespace

const AdviceSort &adviceWorkGroupSize() {
  static const AdviceSort S{
      "work-group-size",
      "work-groups whose size is no multiple of a target's wave", find};
  return S;
}

} // namespace clrewrite::advice::work_group_size
