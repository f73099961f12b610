// What the front end sees of a kernel's use of its work-group.
#include "FindingsIn.h"

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// The kernel of which \p Statement is the body looks at groups.
static bool usesGroups(const std::string &Statement) {
  Findings F = findingsIn("int helper() { return (int)get_local_id(0); }\n"
                          "kernel void k(global int *p, local int *l) { " +
                              Statement + " }",
                          {"-cl-std=CL2.0"});
  return F.Kernels.front().UsesGroups;
}

TEST(GroupUse, EveryFunctionThatTellsGroupsApart) {
  EXPECT_TRUE(usesGroups("p[0] = get_local_id(0);"));
  EXPECT_TRUE(usesGroups("p[0] = get_local_size(0);"));
  EXPECT_TRUE(usesGroups("p[0] = get_local_linear_id();"));
  EXPECT_TRUE(usesGroups("p[0] = get_enqueued_local_size(0);"));
  EXPECT_TRUE(usesGroups("p[0] = get_group_id(0);"));
  EXPECT_TRUE(usesGroups("p[0] = get_num_groups(0);"));
  EXPECT_TRUE(usesGroups("barrier(CLK_LOCAL_MEM_FENCE);"));
  EXPECT_TRUE(usesGroups("work_group_barrier(CLK_LOCAL_MEM_FENCE);"));
  EXPECT_TRUE(usesGroups("event_t e = async_work_group_copy(l, p, 4, 0); "
                         "wait_group_events(1, &e);"));
  EXPECT_TRUE(usesGroups("p[0] = helper();"));
}

TEST(GroupUse, TheNDRangeAsAWholeDoesNot) {
  EXPECT_FALSE(usesGroups("p[get_global_id(0)] = get_global_size(0);"));
  EXPECT_FALSE(usesGroups("p[get_global_id(0)] = get_global_offset(0);"));
}
