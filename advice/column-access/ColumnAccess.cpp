// column-access: the lanes of a wave read or write places that lie far apart.
//
// A wave's access is fast where neighbouring lanes touch neighbouring bytes.
// `a[x * h + y]`, x the id of dimension 0, puts h elements between them: each
// lane needs a line of memory of its own. That h is not 1 the text does not
// say, but its other terms tell: where y or a loop walks the neighbouring
// elements, the rows of the buffer lie along that, and not along x.
#include "advice/LaneAccess.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace clrewrite::advice::column_access {
namespace {

/// A cache line of GCN's L1; NVIDIA's and RDNA's are longer.
constexpr int64_t LineBytes = 64;
/// Work-items of a row, of which fewer are no row for a wave.
constexpr uint64_t NarrowGroup = 8;

/// What walks the neighbouring elements instead of the lanes; empty where
/// nothing is known to.
std::string walker(const Access &A, const Program &Code, const Frame *In) {
  for (const Stmt *S : llvm::reverse(A.Around))
    if (const VarDecl *V = variableOf(S);
        V && isStepOf(strideOf(A, Code, {Mover::Variable, V}, In), A))
      return "the loop over " + V->getNameAsString();
  if (isStepOf(strideOf(A, Code, {Mover::Row}, In), A))
    return "the id of dimension 1";
  return "";
}

/// What is wrong with \p A where a kernel comes to it by \p In.
std::string columnOf(const Access &A, const Program &Code, const Frame *In) {
  std::optional<Stride> S = strideOf(A, Code, {Mover::Lane}, In);
  if (!S || S->isZero())
    return "";
  std::string Distance = distanceOf(A, *S);
  if (Distance.empty())
    return "";
  std::string Walker = walker(A, Code, In);
  bool Far = S->isNumber()
                 ? std::abs(S->Constant) >= std::max(LineBytes, 4 * A.Bytes)
                 : !Walker.empty();
  if (!Far || isForFew(A, Code, In))
    return "";
  if (!Walker.empty())
    Distance += ", while " + Walker + " walks the neighbours";
  return "do not coalesce: " + Distance +
         "; let dimension 0 run along what lies side by side, or go through "
         "local memory";
}

void find(const Adviser &To) {
  for (const auto &Each : To.Code.Functions)
    // Lanes of narrow work-groups are not those of one row.
    if (groupWidth(*Each.second, To, NarrowGroup) >= NarrowGroup)
      tellOfAccesses(*Each.second, LangAS::opencl_global, To,
                     [&](const Access &A, const Frame *In) {
                       return columnOf(A, To.Code, In);
                     });
}

} // namespace

const AdviceSort &adviceColumnAccess() {
  static const AdviceSort S{
      "column-access",
      "accesses that put the lanes of a wave far apart in memory", find};
  return S;
}

} // namespace clrewrite::advice::column_access
