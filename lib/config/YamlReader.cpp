// YAML nodes are checked against the types that their keys want, with messages
// that name line and column.
#include "config/YamlReader.h"
#include "config/Config.h"
#include "source/Nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;

namespace clrewrite::config {

/// \p Places, whose messages go to \p Hear.
static SourceMgr &hear(SourceMgr &Places, SourceMgr::DiagHandlerTy Hear,
                       void *Context) {
  Places.setDiagHandler(Hear, Context);
  return Places;
}

YamlReader::YamlReader(StringRef Path, StringRef Text)
    : Path(Path), Text(Text), Bounded(checkBounds()),
      Stream(Bounded ? Text : "", hear(Places, noteProblem, this),
             /*ShowColors=*/false) {}

void YamlReader::noteProblem(const SMDiagnostic &D, void *Reader) {
  static_cast<YamlReader *>(Reader)->failAt(
      unsigned(std::max(D.getLineNo(), 1)), unsigned(D.getColumnNo() + 1),
      "not YAML here: " + D.getMessage().rtrim('.') +
          "; look at indentation and quotes");
}

void YamlReader::failAt(unsigned Line, unsigned Column, const Twine &Why) {
  if (Problem.empty())
    Problem =
        (Path + ":" + Twine(Line) + ":" + Twine(Column) + ": error: " + Why)
            .str();
}

/// Where \p N, of \p Text, starts. LLVM gives the place after the bracket of a
/// collection, and that after an alias.
static SMLoc placeOf(const yaml::Node &N, StringRef Text) {
  if (auto *Alias = dyn_cast<yaml::AliasNode>(&N))
    return SMLoc::getFromPointer(Alias->getName().data() - 1);
  SMLoc Start = N.getSourceRange().Start;
  // LLVM may have none for a collection that a '%' cuts off.
  if (Start.getPointer() < Text.begin() || Start.getPointer() > Text.end())
    return SMLoc::getFromPointer(Text.begin());
  StringRef Before =
      Text.take_front(size_t(Start.getPointer() - Text.data())).rtrim();
  bool Bracket = isa<yaml::MappingNode, yaml::SequenceNode>(N) &&
                 (Before.ends_with("[") || Before.ends_with("{"));
  return Bracket ? SMLoc::getFromPointer(Before.end() - 1) : Start;
}

void YamlReader::fail(const Node &N, const Twine &Why) {
  auto [Line, Column] = Places.getLineAndColumn(placeOf(N, Text));
  failAt(Line, Column, Why);
}

char TextError::ID;

Error YamlReader::takeError() {
  return failed() ? make_error<TextError>(Problem) : Error::success();
}

/// Brackets count wherever they stand, and so does what may begin a level at
/// the start of a line: no configuration has that many of either. For each of
/// several commas in a row LLVM's parser calls itself, in 480 bytes of stack.
bool YamlReader::checkBounds() {
  constexpr size_t MostBytes = size_t(1) << 20, MostDepth = 32, MostLead = 256,
                   MostCommas = 4096;
  if (Text.size() > MostBytes)
    failAt(1, 1,
           Twine(Text.size()) + " bytes, more than the " + Twine(MostBytes) +
               " of a configuration that is read");
  if (Text.count(',') > MostCommas)
    failAt(1, 1,
           "more than " + Twine(MostCommas) +
               " commas, which no configuration needs");
  size_t Depth = 0;
  unsigned Line = 0;
  for (StringRef Rest = Text; !Rest.empty() && !failed();) {
    StringRef Whole;
    std::tie(Whole, Rest) = Rest.split('\n');
    ++Line;
    if (Whole.take_while([](char C) { return StringRef(" \t-?:").contains(C); })
            .size() > MostLead)
      failAt(Line, 1,
             "the line begins with more than " + Twine(MostLead) +
                 " blanks and signs; indent less");
    size_t Deepest = Depth;
    for (char C : Whole) {
      Depth += C == '[' || C == '{';
      Depth -= (C == ']' || C == '}') && Depth;
      Deepest = std::max(Deepest, Depth);
    }
    if (Deepest > MostDepth)
      failAt(Line, 1,
             "more than " + Twine(MostDepth) +
                 " brackets are open; a configuration needs 3");
  }
  return !failed();
}

void YamlReader::document(ArrayRef<Key> Keys) {
  if (!Bounded)
    return;
  yaml::document_iterator It = Stream.begin();
  if (It == Stream.end())
    return;
  Node *Root = It->getRoot();
  if (!Root || Stream.failed())
    return;
  if (!isa<yaml::NullNode>(Root))
    mapping(*Root, "the configuration", Keys);
  if (failed())
    return;
  ++It;
  if (It != Stream.end() && It->getRoot() && !failed())
    fail(*It->getRoot(), "a second document; leave out what follows '---'");
}

void YamlReader::mapping(Node &N, const Twine &What, ArrayRef<Key> Keys) {
  auto *Map = dyn_cast<yaml::MappingNode>(&N);
  if (!Map)
    return fail(
        N,
        What + " is written as KEY: VALUE, with the keys " +
            join(map_range(Keys, [](const Key &K) { return K.Name; }), ", "));
  std::set<std::string> Seen;
  for (yaml::KeyValueNode &Entry : *Map) {
    Node *Name = Entry.getKey();
    if (!Name || failed())
      return;
    std::string Word = text(*Name);
    if (failed())
      return;
    auto Known = find_if(Keys, [&](const Key &K) { return K.Name == Word; });
    if (Known == Keys.end()) {
      std::vector<StringRef> Names;
      for (const Key &K : Keys)
        Names.push_back(K.Name);
      return fail(*Name, "unknown key '" + Word + "'" + hintFor(Word, Names));
    }
    if (!Seen.insert(Word).second)
      return fail(*Name, "the key '" + Word + "' is given twice; join them");
    Node *Value = Entry.getValue();
    if (!Value || failed())
      return;
    // What is commented out below leaves it so.
    if (isa<yaml::NullNode>(Value))
      return fail(*Name, "the key '" + Word +
                             "' has no value; leave it out, or give it one");
    Known->Read(*Value);
    if (failed())
      return;
  }
}

void YamlReader::sequence(Node &N, const Twine &What,
                          function_ref<void(Node &)> Each) {
  auto *List = dyn_cast<yaml::SequenceNode>(&N);
  if (!List)
    return fail(N, What + " is a list: one entry a line, '- ' before each");
  for (Node &Entry : *List) {
    if (failed())
      return;
    Each(Entry);
    if (failed())
      return;
  }
}

std::string YamlReader::text(Node &N) {
  SmallString<64> Storage;
  if (auto *Scalar = dyn_cast<yaml::ScalarNode>(&N))
    return Scalar->getValue(Storage).str();
  if (auto *Block = dyn_cast<yaml::BlockScalarNode>(&N))
    return Block->getValue().str();
  if (isa<yaml::AliasNode>(&N))
    fail(N, "a text that begins with * must stand in quotes");
  else
    fail(N, "a text is expected; quote it where it begins with a bracket");
  return "";
}

void YamlReader::texts(Node &N, function_ref<void(Node &, std::string)> Each) {
  auto One = [&](Node &Entry) {
    std::string Word = text(Entry);
    if (!failed())
      Each(Entry, std::move(Word));
  };
  if (isa<yaml::SequenceNode>(&N))
    sequence(N, "", One);
  else
    One(N);
}

std::string hintFor(StringRef Name, ArrayRef<StringRef> Known) {
  StringRef Near = nearest(Name, Known);
  return Near.empty() ? " (known: " + join(Known, ", ") + ")"
                      : ("; did you mean '" + Near + "'?").str();
}

} // namespace clrewrite::config
