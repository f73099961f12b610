// One look at a source, in a child process.
#include "pipeline/Look.h"
#include "frontend/BuildOptions.h"
#include "frontend/Parse.h"
#include "rewrite/Find.h"

using namespace llvm;

namespace clrewrite {

namespace {

struct Attempt {
  Diagnosis Diagnosed;
  Findings Found;
  std::string Standard;
};

Attempt attempt(Source S, const Arch &A, ArrayRef<const Rewrite *> Rewrites,
                bool Colour, const std::string &Standard) {
  Attempt Out;
  Out.Standard = Standard;
  if (!Standard.empty())
    S.Options.push_back(Standard);
  Out.Diagnosed =
      parse(S, A, Colour, [&](clang::ASTContext &Context, const Diagnosis &D) {
        Out.Found = find(Context, Rewrites, D);
      });
  return Out;
}

json::Value packed(const Attempt &A) {
  std::string Messages = A.Diagnosed.Text;
  if (A.Diagnosed.Errors)
    if (std::string Hint = suggestOptions(A.Diagnosed); !Hint.empty())
      Messages += "hint: " + Hint + "\n";
  return json::Object{{"failed", A.Diagnosed.Errors != 0},
                      {"messages", json::fixUTF8(Messages)},
                      {"found", toJSON(A.Found)},
                      {"standard", A.Standard}};
}

} // namespace

Sight look(const Source &S, const Arch &A, ArrayRef<const Rewrite *> Rewrites,
           bool Colour, const ChildLimits &Limits) {
  auto Work = [&]() -> std::string {
    std::vector<std::string> Standards{"-cl-std=CL1.2", "-cl-std=CL3.0",
                                       "-cl-std=CL2.0"};
    if (hasStandard(S.Options))
      Standards = {""};
    std::optional<Attempt> Best;
    for (const std::string &Standard : Standards) {
      Attempt Next = attempt(S, A, Rewrites, Colour, Standard);
      if (!Best || Next.Diagnosed.Errors < Best->Diagnosed.Errors)
        Best = std::move(Next);
      if (Best->Diagnosed.Errors == 0)
        break;
    }
    std::string Text;
    raw_string_ostream(Text) << packed(*Best);
    return Text;
  };
  std::function<std::string()> Job = Work;
  ChildResult Result = runInChildren(Job, Limits).front();
  Sight Out;
  if (Result.Status != ChildResult::Done) {
    Out.Failed = true;
    Out.Messages = S.Path + ": error: the front end " + Result.Problem + "\n";
    return Out;
  }
  json::Path::Root Root;
  Expected<json::Value> V = json::parse(Result.Output);
  if (V) {
    json::ObjectMapper O(*V, Root);
    if (O && O.map("failed", Out.Failed) && O.map("messages", Out.Messages) &&
        O.map("found", Out.Found) && O.map("standard", Out.Standard))
      return Out;
  } else {
    consumeError(V.takeError());
  }
  Out.Failed = true;
  Out.Messages = S.Path + ": error: the front end sent no result\n";
  return Out;
}

} // namespace clrewrite
