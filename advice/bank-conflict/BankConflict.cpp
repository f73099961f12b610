// bank-conflict: lanes of a wave wait for each other at the banks of local
// memory.
//
// LDS has 32 banks of one word, on AMD's GPUs and NVIDIA's, and the word at
// byte b is in bank b / 4 % 32. `tile[x][y]`, x the id of dimension 0 and 32
// words a row, has 32 lanes in one bank, which gives one of them its word at a
// time. Rows of 33 words have the lanes in all banks.
#include "advice/LaneAccess.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

using namespace clang;

namespace clrewrite::advice {
namespace {

constexpr int64_t Banks = 32, WordBytes = 4;
/// Lanes that are looked at together; as many as there are banks, but no more
/// than a work-group has in a row. Where that is not known, half of them: tiles
/// are 16 wide or more.
constexpr uint64_t MostLanes = 32, UnknownLanes = 16;
/// How many times as long as necessary the lanes wait, at least.
constexpr int64_t Crowd = 4;

/// Most words that one bank gives \p Lanes lanes, which access \p Bytes each,
/// \p Step bytes apart.
int64_t mostOfABank(int64_t Step, int64_t Bytes, uint64_t Lanes) {
  std::set<int64_t> Words;
  for (int64_t L = 0; L < int64_t(Lanes); ++L)
    for (int64_t B = 0; B < Bytes; B += WordBytes)
      Words.insert((L * Step + B) / WordBytes);
  int64_t OfBank[Banks] = {}, Most = 0;
  for (int64_t W : Words)
    Most = std::max(Most, ++OfBank[W % Banks]);
  return Most;
}

std::string crowdOf(const Access &A, const Adviser &To, const Frame *In,
                    uint64_t Lanes) {
  if (A.OfAddress)
    return "";
  std::optional<Stride> S = strideOf(A, To.Code, {Mover::Lane}, In);
  if (!S || !S->isNumber() || S->isZero() || isForFew(A, To.Code, In))
    return "";
  int64_t Step = std::abs(S->Constant);
  int64_t Least = std::max<int64_t>(
      1, int64_t(Lanes) * std::max(A.Bytes, WordBytes) / (Banks * WordBytes));
  int64_t Most = mostOfABank(Step, A.Bytes, Lanes);
  if (Step % A.ElementBytes || Most < Crowd * Least)
    return "";
  int64_t More = std::max<int64_t>(1, WordBytes / A.ElementBytes);
  return (A.Writes ? "writes of " : "reads of ") + bufferOf(A, To.Context) +
         " wait for each other: the lanes of a wave are " +
         std::to_string(Step / A.ElementBytes) +
         " elements apart here (the stride of dimension 0's id), so that one "
         "bank of local memory " +
         (A.Writes ? "takes " : "gives ") + std::to_string(Most) +
         (A.Writes ? " words from " : " words to ") + std::to_string(Lanes) +
         " lanes; let rows be " +
         (More == 1 ? "one element" : std::to_string(More) + " elements") +
         " longer, or dimension 0 run along them";
}

void find(const Adviser &To) {
  for (const auto &Each : To.Code.Functions) {
    const FunctionDecl &F = *Each.second;
    uint64_t Lanes = std::min(MostLanes, groupWidth(F, To, UnknownLanes));
    tellOfAccesses(F, LangAS::opencl_local, To,
                   [&](const Access &A, const Frame *In) {
                     return crowdOf(A, To, In, Lanes);
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

} // namespace clrewrite::advice
