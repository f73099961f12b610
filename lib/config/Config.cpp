// Configurations are joined: where both have a value, the closer one counts.
#include "config/OptionTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::config {

template <typename T>
static void take(std::optional<T> &Into, const std::optional<T> &From) {
  if (From)
    Into = From;
}
/// What no configuration has.
template <typename T> static void take(T &, const T &) {}

Config overlay(Config Under, const Config &Over) {
  if (Over.Options)
    Under.Sets.reset();
  Config From = Over;
  for (auto [To, By] : zip_equal(optionsOf(Under), optionsOf(From)))
    std::visit(
        [&, &Row = By](auto *Into) {
          take(*Into, *std::get<decltype(Into)>(Row.Into));
        },
        To.Into);
  // What is named is tried, whatever the file leaves out.
  if (Over.Only)
    Under.Without.reset();
  return Under;
}

} // namespace clrewrite::config
