// Reading a configuration file: its keys are those rows of the option table
// that a file may give. What is wrong with a value is told with its place.
#include "config/OptionTable.h"
#include "config/YamlReader.h"
#include "select/Budget.h"
#include "llvm/Support/FileSystem.h"
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
    std::vector<Option> Table = optionsOf(Out);
    std::vector<YamlReader::Key> Keys;
    for (const Option &Row : Table)
      Keys.push_back({Row.Name, [this, &Row](Node &N) {
                        std::visit([&](auto *Into) { read(N, Row, *Into); },
                                   Row.Into);
                      }});
    Y.document(Keys);
    if (Error E = Y.takeError())
      return std::move(E);
    if (Out.Options)
      rebase(*Out.Options);
    return std::move(Out);
  }

private:
  using Node = YamlReader::Node;
  YamlReader Y;
  Config Out;

  /// Fails at \p N where the option does not take the text.
  std::string checked(Node &N, const Option &Row, const std::string &Text) {
    if (Row.Check && !Y.failed())
      if (Error E = Row.Check(Text))
        Y.fail(N, std::move(E));
    return Text;
  }

  /// Fails at \p N where a repository may not ask for so much.
  void checkMost(Node &N, const Option &Row, double Value) {
    if (Row.Most > 0 && Value > Row.Most)
      Y.fail(N, "more than " + Twine(unsigned(Row.Most)) +
                    (Row.ValueName == "seconds" ? " seconds" : "") +
                    " are for --" + Row.Name + " alone");
  }

  // The value of a key, by its type.

  void read(Node &N, const Option &Row, std::optional<std::string> &Into) {
    Into = checked(N, Row, Y.text(N));
    if (Row.Most > 0 && !Y.failed()) {
      // A budget is the one text with a bound, of alternatives or of seconds.
      select::SearchLimits L = cantFail(select::parseBudget(*Into));
      double Asked = L.Alternatives + L.Seconds;
      if (Asked > 0)
        checkMost(N, Row, Asked);
      else
        Y.fail(N, "no limit (0) is for --" + Row.Name + " alone");
    }
  }

  void read(Node &N, const Option &Row, std::optional<double> &Into) {
    double Value = 0;
    std::string Text = Y.text(N);
    if (!Y.failed() && (StringRef(Text).getAsDouble(Value) ||
                        !(Value >= Row.Least) || Value > 1e9))
      Y.fail(N, "'" + Text + "' is not a number " +
                    (Row.Least > 0 ? "above 0" : "of 0 or more"));
    checkMost(N, Row, Value);
    Into = Value;
  }

  void read(Node &N, const Option &, std::optional<bool> &Into) {
    std::string Text = Y.text(N);
    if (!Y.failed() && Text != "true" && Text != "false")
      Y.fail(N, "'" + Text + "' is neither true nor false");
    Into = Text == "true";
  }

  void read(Node &N, const Option &Row, std::optional<unsigned> &Into) {
    unsigned Value = 0;
    std::string Text = Y.text(N);
    if (!Y.failed() &&
        (StringRef(Text).getAsInteger(10, Value) || Value < Row.Least))
      Y.fail(N, "'" + Text + "' is not a whole number of " +
                    Twine(unsigned(Row.Least)) + " or more");
    checkMost(N, Row, Value);
    Into = Value;
  }

  /// A list, or one text. Where the option has commas between its elements,
  /// a text may have them too.
  void read(Node &N, const Option &Row, std::optional<Words> &Into) {
    Into.emplace();
    Y.texts(N, [&](Node &Each, const std::string &Text) {
      SmallVector<StringRef> Parts;
      StringRef(Text).split(Parts, ',', Row.hasCommas() ? -1 : 0);
      for (StringRef Part : Parts)
        Into->push_back(
            checked(Each, Row, (Row.hasCommas() ? Part.trim() : Part).str()));
    });
    if (&Into == &Out.Targets && Into->empty() && !Y.failed())
      Y.fail(N, "no target; leave out the key for the usual ones");
  }

  void read(Node &N, const Option &, std::optional<select::Objective> &Into) {
    std::string Text = Y.text(N);
    std::vector<StringRef> Known;
    for (const auto &[Name, Value] : Objectives) {
      if (Text == Name)
        Into = Value;
      Known.push_back(Name);
    }
    if (!Into && !Y.failed())
      Y.fail(N, "unknown objective '" + Text + "'" + hintFor(Text, Known));
  }

  void read(Node &N, const Option &Row,
            std::optional<std::vector<select::EditName>> &Into) {
    std::optional<Words> Texts;
    read(N, Row, Texts);
    Into.emplace();
    for (const std::string &Text : *Texts)
      if (!Y.failed())
        Into->push_back(cantFail(select::parseEditName(Text)));
  }

  void read(Node &N, const Option &,
            std::optional<std::vector<OptionSet>> &Into) {
    Into = sets(N);
  }

  void read(Node &N, const Option &Row,
            std::optional<std::vector<FileLaunch>> &Into) {
    Into = launches(N, Row);
  }

  /// No key has such a value.
  template <typename T> void read(Node &, const Option &, T &) {}

  /// A list of the same kind as that of the key \p Key.
  Words listAs(StringRef Key, Node &N) {
    Config Any;
    std::optional<Words> Found;
    for (const Option &Row : optionsOf(Any))
      if (Row.Name == Key)
        read(N, Row, Found);
    return std::move(*Found);
  }

  /// Makes what \p Options name relative to the file absolute.
  void rebase(Words &Options) {
    for (std::string &Text : Options)
      Text = rebasedOptions(Text, Out.Folder);
  }

  std::vector<OptionSet> sets(Node &N) {
    std::vector<OptionSet> Found;
    Y.sequence(N, "option-sets", [&](Node &Each) {
      OptionSet Set;
      Y.mapping(
          Each, "an option set",
          {{"name", [&](Node &V) { Set.Name = Y.text(V); }},
           {"files", [&](Node &V) { Set.Files = listAs("exclude", V); }},
           {"options", [&](Node &V) { Set.Options = listAs("options", V); }}});
      if (Y.failed())
        return;
      rebase(Set.Options);
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

  std::vector<FileLaunch> launches(Node &N, const Option &Row) {
    std::vector<FileLaunch> Found;
    auto One = [&](Node &Each) {
      FileLaunch L;
      if (isa<yaml::MappingNode>(&Each))
        Y.mapping(
            Each, "a launch",
            {{"launch", [&](Node &V) { L.Text = checked(V, Row, Y.text(V)); }},
             {"files", [&](Node &V) { L.Files = listAs("exclude", V); }}});
      else
        L.Text = checked(Each, Row, Y.text(Each));
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
