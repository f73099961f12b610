// The keys of a configuration file. Everything that can be wrong with a value
// is said here, where its place is known.
#include "config/Config.h"
#include "config/Glob.h"
#include "config/Resolve.h"
#include "config/YamlReader.h"
#include "frontend/BuildOptions.h"
#include "measure/Launch.h"
#include "measure/Target.h"
#include "pipeline/Advising.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "select/Budget.h"
#include "verify/Tolerance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::config {
namespace {

class Reader {
public:
  Reader(StringRef Path, StringRef Text) : Y(Path, Text) {
    Out.Path = Path.str();
    SmallString<256> Folder(Path);
    // Without a current folder, relative paths stay relative.
    (void)sys::fs::make_absolute(Folder);
    sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
    Out.Folder = sys::path::parent_path(Folder).str();
  }

  Expected<Config> run() {
    Y.document({
        {"target", [&](Node &N) { Out.Targets = targets(N); }},
        {"objective", [&](Node &N) { Out.Goal = objective(N); }},
        {"max-slowdown", [&](Node &N) { Out.MaxSlowdown = number(N, 0); }},
        {"budget",
         [&](Node &N) { Out.Budget = checked(N, select::parseBudget); }},
        {"only", [&](Node &N) { Out.Only = rewrites(N); }},
        {"without", [&](Node &N) { Out.Without = rewrites(N); }},
        {"advise", [&](Node &N) { Out.Advise = advice(N); }},
        {"grant", [&](Node &N) { Out.Granted = edits(N); }},
        {"demote", [&](Node &N) { Out.Demoted = edits(N); }},
        {"options", [&](Node &N) { Out.Options = options(N); }},
        {"option-sets", [&](Node &N) { Out.Sets = sets(N); }},
        {"launch", [&](Node &N) { Out.Launches = launches(N); }},
        {"exclude", [&](Node &N) { Out.Exclude = globs(N); }},
        {"verify", [&](Node &N) { Out.Verify = Y.text(N); }},
        {"verify-seconds", [&](Node &N) { Out.VerifySeconds = seconds(N); }},
        {"tolerance",
         [&](Node &N) { Out.Tolerance = checked(N, verify::parseTolerance); }},
        {"compile-timeout", [&](Node &N) { Out.CompileTimeout = whole(N, 1); }},
        {"jobs", [&](Node &N) { Out.Jobs = whole(N, 0); }},
    });
    if (Error E = Y.takeError())
      return std::move(E);
    return std::move(Out);
  }

private:
  using Node = YamlReader::Node;
  YamlReader Y;
  Config Out;

  /// Fails at \p N where \p Parse does not take the text.
  template <typename Parser> std::string checked(Node &N, Parser Parse) {
    std::string Text = Y.text(N);
    if (!Y.failed())
      check(N, Text, Parse);
    return Text;
  }
  template <typename Parser>
  void check(Node &N, const std::string &Text, Parser Parse) {
    if (auto Value = Parse(Text); !Value)
      Y.fail(N, Value.takeError());
  }

  /// A repository can't ask for more than a minute a kernel.
  double seconds(Node &N) {
    double Value = number(N, 1e-3);
    if (Value > 60)
      Y.fail(N, "more than 60 seconds are for --verify-seconds alone");
    return Value;
  }

  double number(Node &N, double Least) {
    double Value = 0;
    std::string Text = Y.text(N);
    if (!Y.failed() && (StringRef(Text).getAsDouble(Value) ||
                        !(Value >= Least) || Value > 1e9))
      Y.fail(N, "'" + Text + "' is not a number " +
                    (Least > 0 ? "above 0" : "of 0 or more"));
    return Value;
  }

  unsigned whole(Node &N, unsigned Least) {
    unsigned Value = 0;
    std::string Text = Y.text(N);
    if (!Y.failed() &&
        (StringRef(Text).getAsInteger(10, Value) || Value < Least))
      Y.fail(N, "'" + Text + "' is not a whole number of " + Twine(Least) +
                    " or more");
    return Value;
  }

  /// A list, or what stands between the commas of one text.
  Words list(Node &N, function_ref<void(Node &, const std::string &)> Check) {
    Words Found;
    Y.texts(N, [&](Node &Each, const std::string &Text) {
      SmallVector<StringRef> Parts;
      StringRef(Text).split(Parts, ',');
      for (StringRef Part : Parts) {
        Found.push_back(Part.trim().str());
        if (!Y.failed())
          Check(Each, Found.back());
      }
    });
    return Found;
  }

  Words targets(Node &N) {
    Words Found = list(N, [&](Node &Each, const std::string &Text) {
      check(Each, Text, measure::parseTarget);
    });
    if (Found.empty() && !Y.failed())
      Y.fail(N, "no target; leave out the key for the usual ones");
    return Found;
  }

  select::Objective objective(Node &N) {
    std::string Text = Y.text(N);
    std::vector<StringRef> Known;
    for (const auto &[Name, Value] : Objectives) {
      if (Text == Name)
        return Value;
      Known.push_back(Name);
    }
    if (!Y.failed())
      Y.fail(N, "unknown objective '" + Text + "'" + hintFor(Text, Known));
    return select::Objective::Auto;
  }

  void checkRewrite(Node &N, const std::string &Name) {
    std::vector<StringRef> Known;
    for (const rewrite::Rewrite *R : rewrite::allRewrites())
      Known.push_back(R->Name);
    if (!is_contained(Known, Name))
      Y.fail(N, "unknown rewrite '" + Name + "'" + hintFor(Name, Known));
  }

  Words rewrites(Node &N) {
    return list(N, [&](Node &Each, const std::string &Text) {
      checkRewrite(Each, Text);
    });
  }

  Words advice(Node &N) {
    return list(N, [&](Node &Each, const std::string &Text) {
      check(Each, Text, [](const std::string &Name) {
        return pipeline::adviceNamed({Name});
      });
    });
  }

  std::vector<select::EditName> edits(Node &N) {
    std::vector<select::EditName> Found;
    list(N, [&](Node &Each, const std::string &Text) {
      Expected<select::EditName> Name = select::parseEditName(Text);
      if (!Name)
        return Y.fail(Each, Name.takeError());
      checkRewrite(Each, Name->Rewrite);
      Found.push_back(std::move(*Name));
    });
    return Found;
  }

  Words options(Node &N) {
    Words Found;
    Y.texts(N, [&](Node &Each, const std::string &Text) {
      Words Ignored;
      if (Error E = frontend::checkQuotes(Text))
        Y.fail(Each, std::move(E));
      check(Each, Text, [&](const std::string &Options) {
        return frontend::parseBuildOptions(frontend::splitBuildOptions(Options),
                                           Ignored);
      });
      Found.push_back(rebasedOptions(Text, Out.Folder));
    });
    return Found;
  }

  Words globs(Node &N) {
    Words Found;
    Y.texts(N, [&](Node &Each, const std::string &Text) {
      if (std::string Why = badGlob(Text); !Why.empty())
        Y.fail(Each, "the pattern '" + Text + "' " + Why);
      Found.push_back(Text);
    });
    return Found;
  }

  std::vector<OptionSet> sets(Node &N) {
    std::vector<OptionSet> Found;
    Y.sequence(N, "option-sets", [&](Node &Each) {
      OptionSet Set;
      Y.mapping(Each, "an option set",
                {{"name", [&](Node &V) { Set.Name = Y.text(V); }},
                 {"files", [&](Node &V) { Set.Files = globs(V); }},
                 {"options", [&](Node &V) { Set.Options = options(V); }}});
      if (Y.failed())
        return;
      if (Set.Name.empty())
        return Y.fail(Each, "the option set has no name, which tells it from "
                            "others in reports; add 'name: ...'");
      if (any_of(Found, [&](const OptionSet &Other) {
            return Other.Name == Set.Name;
          }))
        return Y.fail(Each, "two option sets are called '" + Set.Name +
                                "'; rename one");
      Found.push_back(std::move(Set));
    });
    return Found;
  }

  std::vector<FileLaunch> launches(Node &N) {
    std::vector<FileLaunch> Found;
    auto One = [&](Node &Each) {
      FileLaunch L;
      if (isa<yaml::MappingNode>(&Each))
        Y.mapping(
            Each, "a launch",
            {{"launch",
              [&](Node &V) { L.Text = checked(V, measure::parseLaunch); }},
             {"files", [&](Node &V) { L.Files = globs(V); }}});
      else
        L.Text = checked(Each, measure::parseLaunch);
      if (L.Text.empty() && !Y.failed())
        Y.fail(Each, "the launch is missing; add 'launch: KERNEL:GLOBAL...'");
      Found.push_back(std::move(L));
    };
    if (isa<yaml::SequenceNode>(&N))
      Y.sequence(N, "launch", One);
    else
      One(N);
    return Found;
  }
};

} // namespace

Expected<Config> readConfig(StringRef Path, StringRef Text) {
  if (size_t At = 0; !json::isUTF8(Text, &At))
    return createStringError(
        Path + ":" + Twine(Text.take_front(At).count('\n') + 1) +
        ":1: error: not UTF-8 (byte " + Twine(At) + "); save it as UTF-8");
  return Reader(Path, Text).run();
}

} // namespace clrewrite::config
