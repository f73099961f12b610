// What a kernel asks of the work-item that runs it: its ids, its work-group.
#pragma once

#include "rewrite/Rewrite.h"

namespace clrewrite::rewrite {

struct WorkItemUse {
  /// The kernel's own calls of get_global_id and get_global_size.
  struct Call {
    const clang::CallExpr *Expression = nullptr;
    unsigned Dimension = 0;
    bool Size = false; ///< it is get_global_size
  };
  std::vector<Call> Calls;
  // Where what follows was first found; none where it is not there.
  /// Some call of the two has no constant dimension from 0 to 2.
  std::optional<clang::SourceRange> Computed;
  /// A function that the kernel calls calls them.
  std::optional<clang::SourceRange> Elsewhere;
  /// The kernel, or a function that it calls, calls one that is not defined
  /// here.
  std::optional<clang::SourceRange> Unknown;
  /// The kernel, or a function that it calls, asks for ids or sizes of
  /// work-groups, or for what the language does not define.
  std::optional<clang::SourceRange> Groups;
  /// The same: it waits for other work-items, works together with them, or
  /// enqueues kernels.
  std::optional<clang::SourceRange> Together;
  /// The same: it names local memory.
  std::optional<clang::SourceRange> LocalMemory;

  /// Work-items tell themselves apart.
  bool asksForId() const;
};

WorkItemUse workItemUse(const Site &S);

/// The answer of the function \p Name depends on how the launch is cut into
/// work-groups, or numbers all work-items.
bool asksForGroup(llvm::StringRef Name);
/// The answer of the function \p Name depends on how many work-items a launch
/// has, or where its ids begin: it is another one where the last work-groups
/// are launched alone, by a global offset.
bool asksForWhole(llvm::StringRef Name);
/// The function \p Name makes work-items wait for each other or work together,
/// or enqueues kernels.
bool worksTogether(llvm::StringRef Name);

/// The three sizes that `reqd_work_group_size` gives; empty where there is
/// none.
std::vector<uint64_t> requiredGroup(const clang::FunctionDecl &F);

/// The same, where each build requires these sizes; empty where a macro may
/// make others of them.
std::vector<uint64_t> stableGroup(const clang::FunctionDecl &F);

/// The conditions under which it does not matter how a launch is cut into
/// work-groups.
template <std::optional<clang::SourceRange> WorkItemUse::*Where>
bool isFreeOf(const Site &S) {
  const std::optional<clang::SourceRange> &Found = S.once<workItemUse>().*Where;
  return !Found || S.brokenBy(*Found);
}
inline const Condition AsksForNoGroup{
    "it asks for ids or sizes of work-groups (get_local_id, get_group_id, "
    "...), or for what one machine has",
    isFreeOf<&WorkItemUse::Groups>};
inline const Condition WorksAlone{
    "work-items wait for each other (barrier, work_group_..., "
    "sub_group_...), or it enqueues kernels",
    isFreeOf<&WorkItemUse::Together>};
inline const Condition UsesNoLocalMemory{"it uses local memory",
                                         isFreeOf<&WorkItemUse::LocalMemory>};

/// The conditions under which Calls has all that the kernel asks of the launch.
inline const Condition AsksItself{
    "a function that it calls asks for ids or sizes (get_global_id, "
    "get_global_size)",
    isFreeOf<&WorkItemUse::Elsewhere>,
    "ask in the kernel, and pass the function what it needs"};
inline const Condition CallsWhatIsDefined{
    "it calls a function that is not defined here",
    isFreeOf<&WorkItemUse::Unknown>};
inline const Condition NumbersDimensions{
    "the dimension of a get_global_id or get_global_size is computed",
    isFreeOf<&WorkItemUse::Computed>, "write the number 0, 1 or 2"};

} // namespace clrewrite::rewrite
