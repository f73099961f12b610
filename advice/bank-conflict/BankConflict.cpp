// bank-conflict: lanes of a wave wait for each other at the banks of local
// memory.
//
// LDS has 32 banks of one word, on AMD's GPUs and NVIDIA's, and the word at
// byte b is in bank b / 4 % 32. `tile[x][y]`, x the id of dimension 0 and 32
// words a row, has 32 lanes in one bank, which gives one of them its word at a
// time. Rows of 33 words have the lanes in all banks.
#include "advice/LaneAccess.h"
#include "launch/LocalMemory.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace clang;

namespace clrewrite::advice::bank_conflict {
namespace {

/// Lanes that are looked at together; as many as there are banks, but no more
/// than a work-group has in a row. Where that is not known, half of them: tiles
/// are 16 wide or more.
constexpr uint64_t MostLanes = 32, UnknownLanes = 16;
/// How many times as long as necessary the lanes wait, at least.
constexpr unsigned Crowd = 4;

/// Most words that one bank gives \p Lanes lanes, which access \p Bytes each,
/// \p Step bytes apart.
unsigned mostOfABank(int64_t Step, int64_t Bytes, uint64_t Lanes) {
  llvm::SmallVector<int64_t, MostLanes> At;
  for (uint64_t L = 0; L < Lanes; ++L)
    At.push_back(int64_t(L) * Step);
  return launch::busiestBank(At, Bytes);
}

std::string crowdOf(const Access &A, const Program &Code, const Frame *In,
                    uint64_t Lanes) {
  if (A.OfAddress)
    return "";
  std::optional<Stride> S = strideOf(A, Code, {Mover::Lane}, In);
  if (!S || !S->isNumber() || S->isZero())
    return "";
  std::string Distance = distanceOf(A, Stride{std::abs(S->Constant)});
  unsigned Most = mostOfABank(std::abs(S->Constant), A.Bytes, Lanes);
  if (Distance.empty() || Most < Crowd * mostOfABank(A.Bytes, A.Bytes, Lanes) ||
      isForFew(A, Code, In))
    return "";
  int64_t More = std::max<int64_t>(1, launch::WordBytes / A.ElementBytes);
  return "wait for each other: " + Distance +
         ", so that one bank of local memory " +
         (A.Writes ? "takes " : "gives ") + std::to_string(Most) +
         (A.Writes ? " words from " : " words to ") + std::to_string(Lanes) +
         " lanes; let rows be " +
         (More == 1 ? "one element" : std::to_string(More) + " elements") +
         " longer, or dimension 0 run along them";
}

void find(const Adviser &To) {
  for (const auto &Each : To.Code.Functions) {
    const FunctionDecl &F = *Each.second;
    uint64_t Lanes =
        std::clamp<uint64_t>(groupWidth(F, To, UnknownLanes), 1, MostLanes);
    tellOfAccesses(F, LangAS::opencl_local, To,
                   [&](const Access &A, const Frame *In) {
                     return crowdOf(A, To.Code, In, Lanes);
                   });
  }
}

} // namespace

const AdviceSort &adviceBankConflict() {
  static const AdviceSort S{
      "bank-conflict",
      "accesses that have many lanes of a wave in one bank of local memory",
      find};
  return S;
}

} // namespace clrewrite::advice::bank_conflict
