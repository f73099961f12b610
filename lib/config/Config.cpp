// Joining configurations.
#include "config/Config.h"

namespace clrewrite::config {

Config overlay(Config Under, const Config &Over) {
  auto Take = [&](auto Config::*Member) {
    if (Over.*Member)
      Under.*Member = Over.*Member;
  };
  Take(&Config::Targets);
  Take(&Config::Goal);
  Take(&Config::MaxSlowdown);
  Take(&Config::Budget);
  Take(&Config::Only);
  Take(&Config::Without);
  Take(&Config::Advise);
  Take(&Config::Granted);
  Take(&Config::Demoted);
  if (Over.Options)
    Under.Sets.reset();
  // What is named is tried, whatever the file leaves out.
  if (Over.Only)
    Under.Without.reset();
  Take(&Config::Options);
  Take(&Config::Sets);
  Take(&Config::Launches);
  Take(&Config::Exclude);
  Take(&Config::Verify);
  Take(&Config::Tolerance);
  Take(&Config::VerifySeconds);
  Take(&Config::CompileTimeout);
  Take(&Config::Jobs);
  return Under;
}

} // namespace clrewrite::config
