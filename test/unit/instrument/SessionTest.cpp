// What the instruments share: a budget that cuts an answer short is named.
#include "instrument/Session.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::instrument;

namespace {

/// Never answers in time.
class Late : public opencl::DeviceChannel {
public:
  opencl::DeviceAnswer call(llvm::json::Object Job) override {
    opencl::DeviceAnswer A;
    A.Status = opencl::DeviceAnswer::TimedOut;
    A.Problem = "exceeded " + std::to_string(*Job.getInteger("limit_s")) + " s";
    return A;
  }
};

} // namespace

TEST(Session, TheBudgetIsNamedWhereItCutsAJobShort) {
  Late Channel;
  Session Short(Channel, DeviceFacts(), /*Budget=*/2);
  EXPECT_EQ(opencl::reasonOf(Short.call({}, /*Limit=*/60)),
            "the device program was stopped: the budget of 2 s is spent");
  Session Long(Channel, DeviceFacts(), /*Budget=*/600);
  EXPECT_EQ(opencl::reasonOf(Long.call({}, /*Limit=*/60)),
            "the device program exceeded 60 s");
}
