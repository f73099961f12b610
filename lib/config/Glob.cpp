// A pattern is translated into a regular expression.
#include "config/Glob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace clrewrite::config {
namespace {

/// One pass over a pattern, from left to right.
class Translation {
public:
  explicit Translation(StringRef Pattern) : Rest(Pattern) {}

  /// The expression; Problem is set where there is none.
  std::string run() {
    Rest.consume_back("/");
    bool Anchored = Rest.contains('/');
    Rest.consume_front("./");
    Rest.consume_front("/");
    if (Rest.empty())
      Problem = "is empty";
    while (!Rest.empty() && Problem.empty())
      next();
    if (Depth && Problem.empty())
      Problem = "lacks a }";
    return (Anchored ? "^" : "^(.*/)?") + Out + "(/.*)?$";
  }
  std::string Problem;

private:
  StringRef Rest;
  std::string Out;
  unsigned Depth = 0; ///< of braces

  void next() {
    if (Rest.consume_front("**/"))
      Out += "(.*/)?";
    else if (Rest.consume_front("**"))
      Out += ".*";
    else if (Rest.consume_front("*"))
      Out += "[^/]*";
    else if (Rest.consume_front("?"))
      Out += "[^/]";
    else if (Rest.front() == '[')
      characters();
    else
      character();
  }

  void character() {
    char C = Rest.front();
    Rest = Rest.drop_front();
    if (C == '{') {
      ++Depth;
      Out += '(';
    } else if (C == '}' && Depth) {
      --Depth;
      Out += ')';
    } else if (C == ',' && Depth) {
      Out += '|';
    } else {
      Out += Regex::escape(StringRef(&C, 1));
    }
  }

  void characters() {
    size_t End = Rest.find(']', Rest.substr(1).starts_with("!") ? 3 : 2);
    if (End == StringRef::npos) {
      Problem = "lacks a ]";
      return;
    }
    StringRef Inner = Rest.slice(1, End);
    bool Not = Inner.consume_front("!") || Inner.consume_front("^");
    Out += (Not ? "[^" : "[") + Inner.str() + "]";
    Rest = Rest.drop_front(End + 1);
  }
};

} // namespace

std::string badGlob(StringRef Pattern) {
  Translation T(Pattern);
  std::string Expression = T.run(), Why;
  if (!T.Problem.empty())
    return T.Problem;
  return Regex(Expression).isValid(Why) ? "" : Why;
}

bool globMatches(StringRef Pattern, StringRef Path) {
  Translation T(Pattern);
  std::string Expression = T.run();
  return T.Problem.empty() && Regex(Expression).match(Path);
}

bool anyGlobMatches(ArrayRef<std::string> Patterns, StringRef Path) {
  return any_of(Patterns,
                [&](StringRef Each) { return globMatches(Each, Path); });
}

} // namespace clrewrite::config
