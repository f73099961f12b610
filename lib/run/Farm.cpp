// Reading the farm file.
#include "run/Farm.h"
#include "source/Beneath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clrewrite::run {

Expected<std::vector<FarmHost>> readFarm(const std::string &Path) {
  Expected<std::string> Text = readRegular(Path);
  if (!Text)
    return Text.takeError();
  SmallVector<StringRef> Lines;
  StringRef(*Text).split(Lines, '\n');
  std::vector<FarmHost> Out;
  for (auto [Index, Each] : enumerate(Lines)) {
    StringRef Line = Each.trim();
    if (Line.empty() || Line.front() == '#')
      continue;
    size_t End = Line.find_first_of(" \t");
    StringRef Name = Line.substr(0, End);
    StringRef Command = Line.substr(Name.size()).trim();
    std::string Wrong;
    if (Command.empty())
      Wrong = "the command that starts clrewrite-device there is missing, such "
              "as: " +
              Name.str() + " ssh " + Name.str() + " clrewrite-device";
    else if (Name.contains('/'))
      Wrong = "a machine's name has no slash";
    else if (any_of(Out, [&](const FarmHost &H) { return H.Name == Name; }))
      Wrong = "there are two machines " + Name.str();
    if (!Wrong.empty())
      return createStringError(Path + ":" + Twine(Index + 1) + ": " + Wrong);
    Out.push_back({Name.str(), Command.str()});
  }
  if (Out.empty())
    return createStringError(Path + ": names no machine");
  return std::move(Out);
}

Expected<const FarmHost *> hostOf(StringRef Selector,
                                  const std::vector<FarmHost> &Hosts) {
  if (!Selector.contains('/'))
    return nullptr;
  StringRef Name = Selector.split('/').first;
  for (const FarmHost &H : Hosts)
    if (H.Name == Name)
      return &H;
  return createStringError(
      "target 'device:" + Selector + "': the farm has no machine " + Name +
      " (there are: " +
      join(map_range(Hosts, [](const FarmHost &H) { return H.Name; }), ", ") +
      ")");
}

} // namespace clrewrite::run
