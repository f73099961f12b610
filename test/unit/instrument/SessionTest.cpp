// What the instruments share: a budget that cuts an answer short is named.
#include "instrument/Session.h"
#include <gtest/gtest.h>

using namespace clrewrite;

namespace {

/// Never answers in time.
class Late : public DeviceChannel {
public:
  DeviceAnswer call(llvm::json::Object Job) override {
    DeviceAnswer A;
    A.Status = DeviceAnswer::TimedOut;
    A.Problem = "exceeded " + std::to_string(*Job.getInteger("limit_s")) + " s";
    return A;
  }
};

} // namespace

TEST(Session, TheBudgetIsNamedWhereItCutsAJobShort) {
  Late Channel;
  Session Short(Channel, DeviceFacts(), /*Budget=*/2);
  EXPECT_EQ(reasonOf(Short.call({}, /*Limit=*/60)),
            "the device program was stopped: the budget of 2 s is spent");
  Session Long(Channel, DeviceFacts(), /*Budget=*/600);
  EXPECT_EQ(reasonOf(Long.call({}, /*Limit=*/60)),
            "the device program exceeded 60 s");
}
