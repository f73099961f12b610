// Putting a header's text in the place of its #include.
#include "pipeline/Inlined.h"
#include "pipeline/Unit.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {

static json::Value packed(const frontend::Inclusions &Seen) {
  json::Array List;
  for (const frontend::Inclusion &I : Seen.List)
    List.push_back(json::Array{
        textOfBytes(I.Path), textOfBytes(I.Real),
        I.Within ? json::Value(int64_t(*I.Within)) : nullptr, int64_t(I.Begin),
        int64_t(I.End), I.Line, I.Entered, I.System, I.AtFileScope});
  return json::Object{{"list", std::move(List)},
                      {"tokens", Seen.Tokens},
                      {"failed", Seen.Failed}};
}

static frontend::Inclusions unpacked(const json::Object &O) {
  frontend::Inclusions Seen;
  Seen.Failed = O.getBoolean("failed").value_or(true);
  if (const json::Value *Tokens = O.get("tokens"))
    Seen.Tokens = Tokens->getAsUINT64().value_or(0);
  for (const json::Value &V : *O.getArray("list")) {
    const json::Array &A = *V.getAsArray();
    frontend::Inclusion I;
    I.Path = bytesOfText(*A[0].getAsString());
    I.Real = bytesOfText(*A[1].getAsString());
    if (std::optional<int64_t> Within = A[2].getAsInteger())
      I.Within = size_t(*Within);
    I.Begin = size_t(*A[3].getAsInteger());
    I.End = size_t(*A[4].getAsInteger());
    I.Line = unsigned(*A[5].getAsInteger());
    I.Entered = *A[6].getAsBoolean();
    I.System = *A[7].getAsBoolean();
    I.AtFileScope = *A[8].getAsBoolean();
    Seen.List.push_back(std::move(I));
  }
  return Seen;
}

frontend::Inclusions scan(const Source &S, const frontend::Arch &A,
                          const process::ChildLimits &Limits) {
  std::function<std::string()> Job = [&] {
    std::string Text;
    raw_string_ostream(Text) << packed(frontend::inclusionsOf(S, A));
    return Text;
  };
  process::ChildResult Result = process::runInChildren(Job, Limits).front();
  frontend::Inclusions Failed;
  Failed.Failed = true;
  if (Result.Status != process::ChildResult::Done)
    return Failed;
  Expected<json::Value> V = parseJson(Result.Output);
  if (V && V->getAsObject() && V->getAsObject()->getArray("list"))
    return unpacked(*V->getAsObject());
  consumeError(V.takeError());
  return Failed;
}

namespace {

/// Writes the program with the text of some files in it.
class Inliner {
public:
  Inliner(const Source &S, const frontend::Inclusions &Seen, size_t Target,
          function_ref<std::string(const std::string &)> Read)
      : S(S), Seen(Seen), Target(Target), Read(Read) {
    // What includes the header, even a second time in vain, must be there as
    // text too: #pragma once tells files, not texts.
    Inlined.insert(Seen.List[Target].Real);
    for (bool Grown = true; Grown;) {
      Grown = false;
      for (const frontend::Inclusion &I : Seen.List)
        if (Inlined.count(I.Real) && I.Within)
          Grown |= Inlined.insert(Seen.List[*I.Within].Real).second;
    }
  }

  Surrounding run() {
    text(S.Text, S.Path, std::nullopt);
    return {Out.substr(0, Begin), Out.substr(End)};
  }

private:
  const Source &S;
  const frontend::Inclusions &Seen;
  size_t Target;
  function_ref<std::string(const std::string &)> Read;
  std::set<std::string> Inlined;
  std::string Out;
  size_t Begin = 0, End = 0;

  void mark(StringRef Path, unsigned Line) {
    if (!Out.empty() && Out.back() != '\n')
      Out += '\n';
    Out += lineMarker(Out, Path, Line);
  }

  /// The text of a file, which is that of inclusion \p Number.
  void text(StringRef Text, StringRef Path, std::optional<size_t> Number) {
    size_t At = 0;
    for (size_t I = 0; I < Seen.List.size(); ++I) {
      const frontend::Inclusion &Each = Seen.List[I];
      if (Each.Within != Number || Each.End == 0 || Each.Begin < At)
        continue;
      Out += Text.slice(At, Each.Begin);
      At = Each.End;
      if (Each.System)
        Out += Text.slice(Each.Begin, Each.End);
      else if (!Inlined.count(Each.Real))
        Out += "#include \"" + Each.Real + "\"";
      else if (Each.Entered)
        inlined(I, Path);
    }
    Out += Text.substr(At);
  }

  void inlined(size_t I, StringRef Outer) {
    const frontend::Inclusion &Each = Seen.List[I];
    std::string Text = Read(Each.Real);
    if (I == Target) {
      // The unit marks its own first line.
      if (!Out.empty() && Out.back() != '\n')
        Out += '\n';
      Begin = Out.size();
      Out += Text;
      End = Out.size();
    } else {
      mark(Each.Path, 1);
      this->text(Text, Each.Path, I);
    }
    mark(Outer, Each.Line);
  }
};

} // namespace

Surrounding surrounding(const Source &S, const frontend::Inclusions &Seen,
                        StringRef Real,
                        function_ref<std::string(const std::string &)> Read) {
  std::optional<size_t> Target;
  for (size_t I = 0; I < Seen.List.size(); ++I)
    if (const frontend::Inclusion &Each = Seen.List[I];
        Each.Entered && Each.Real == Real) {
      if (Target)
        return {"", "", "includes it more than once"};
      Target = I;
    }
  if (!Target)
    return {"", "", "does not include it"};
  // Its includers', too, must be directives that can be replaced.
  for (std::optional<size_t> I = Target; I; I = Seen.List[*I].Within) {
    if (!Seen.List[*I].AtFileScope)
      return {"", "", "includes it within a declaration"};
    if (Seen.List[*I].End == 0)
      return {"", "", "includes it by an option"};
  }
  return Inliner(S, Seen, *Target, Read).run();
}

} // namespace clrewrite::pipeline
