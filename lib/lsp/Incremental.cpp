// Braces, and lines that move.
#include "lsp/Incremental.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {
namespace {

/// Characters that may change how the rest of a text reads.
bool isPlain(StringRef Text) {
  return Text.find_first_of("#\"'\\{}") == StringRef::npos &&
         !Text.contains("/*") && !Text.contains("*/") && !Text.contains("//") &&
         !Text.contains("??"); // trigraphs
}

size_t startOfLine(StringRef Text, unsigned Line) {
  size_t At = 0;
  for (; Line > 1 && At < Text.size(); --Line)
    At = std::min(Text.find('\n', At), Text.size() - 1) + 1;
  return At;
}

/// Behind the comment or literal that starts at \p At; \p At where none does.
size_t skipped(StringRef Text, size_t At) {
  StringRef Rest = Text.substr(At);
  if (Rest.starts_with("//"))
    return std::min(Text.find('\n', At), Text.size());
  if (Rest.starts_with("/*")) {
    size_t End = Text.find("*/", At + 2);
    return End == StringRef::npos ? Text.size() : End + 2;
  }
  if (Text[At] != '"' && Text[At] != '\'')
    return At;
  for (size_t I = At + 1; I < Text.size(); ++I)
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == Text[At] || Text[I] == '\n')
      return I + 1;
  return Text.size();
}

struct Span {
  size_t Begin = 0, End = 0;
};

/// What stands between the braces of the function that starts in \p Line; none
/// where they don't close, or a directive stands there.
std::optional<Span> bodyIn(StringRef Text, unsigned Line) {
  Span Out;
  unsigned Depth = 0;
  for (size_t I = startOfLine(Text, Line); I < Text.size();) {
    if (size_t Next = skipped(Text, I); Next != I) {
      I = Next;
      continue;
    }
    char C = Text[I];
    if (C == '#' || (!Depth && C == ';'))
      return std::nullopt;
    if (C == '{' && Depth++ == 0)
      Out.Begin = I + 1;
    if (C == '}' && Depth && --Depth == 0) {
      Out.End = I;
      return Out;
    }
    ++I;
  }
  return std::nullopt;
}

/// The bytes that differ, whole lines: front and back that are the same.
std::pair<size_t, size_t> sameEnds(StringRef A, StringRef B) {
  size_t Least = std::min(A.size(), B.size()), Front = 0, Back = 0;
  while (Front < Least && A[Front] == B[Front])
    ++Front;
  Front = A.take_front(Front).rfind('\n') + 1; // npos + 1: the start
  while (Back < Least - Front &&
         A[A.size() - 1 - Back] == B[B.size() - 1 - Back])
    ++Back;
  while (Back && (Back == A.size() || A[A.size() - Back - 1] != '\n'))
    --Back;
  return {Front, Back};
}

} // namespace

std::optional<std::string> onlyChanged(const View &Known, StringRef Before,
                                       StringRef After) {
  if (Before == After || Known.Kernels.size() < 2 ||
      any_of(Known.Notes,
             [](const ViewNote &N) { return N.Severity == ViewNote::Error; }))
    return std::nullopt;
  auto [Front, Back] = sameEnds(Before, After);
  if (!isPlain(Before.slice(Front, Before.size() - Back)) ||
      !isPlain(After.slice(Front, After.size() - Back)))
    return std::nullopt;
  const ViewKernel *Found = nullptr;
  for (const ViewKernel &K : Known.Kernels)
    if (std::optional<Span> Body = bodyIn(Before, K.Line);
        Body && Body->Begin <= Front && Before.size() - Back <= Body->End)
      Found = &K;
  if (!Found || count_if(Known.Kernels, [&](const ViewKernel &K) {
                  return K.Name == Found->Name;
                }) != 1)
    return std::nullopt;
  return Found->Name;
}

View merged(View Known, View Fresh, StringRef Kernel, StringRef Before,
            StringRef After) {
  auto Is = [&](const ViewKernel &K) { return K.Name == Kernel; };
  auto New = find_if(Fresh.Kernels, Is);
  auto Old = find_if(Known.Kernels, Is);
  if (New == Fresh.Kernels.end() || Old == Known.Kernels.end())
    return Fresh; // it does not parse
  int More = int(After.count('\n')) - int(Before.count('\n'));
  unsigned Line = Old->Line;
  Old->Targets = std::move(New->Targets);
  for (ViewKernel &K : Known.Kernels)
    if (K.Line > Line) {
      K.Line += More;
      for (ViewFigures &F : K.Targets) {
        std::map<unsigned, unsigned> Moved;
        for (auto [L, Count] : F.Live)
          Moved[L + More] = Count;
        F.Live = std::move(Moved);
      }
    }
  Fresh.Kernels = std::move(Known.Kernels);
  return Fresh;
}

} // namespace clrewrite
