// Braces tell which function a change lies in, and which lines move.
#include "lsp/Incremental.h"
#include "frontend/RawTokens.h"
#include "lsp/Positions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace clrewrite::lsp {
namespace {

/// Characters that may change how the rest of a text reads.
bool isPlain(StringRef Text) {
  return Text.find_first_of("#\"'\\{}") == StringRef::npos &&
         !Text.contains("/*") && !Text.contains("*/") && !Text.contains("//") &&
         !Text.contains("??"); // trigraphs
}

struct Span {
  size_t Begin = 0, End = 0;
};

/// What stands between the braces of the function that starts in \p Line; none
/// where they don't close, or a directive stands there.
std::optional<Span> bodyIn(StringRef Text, unsigned Line) {
  size_t Start = Positions(Text).offset({int(Line) - 1, 0});
  Span Out;
  unsigned Depth = 0;
  bool Ended = false, Clear = true;
  frontend::eachRawToken(
      Text.substr(Start), [&](tok::TokenKind Kind, size_t At, StringRef) {
        if (Ended)
          return;
        if (Kind == tok::hash || (!Depth && Kind == tok::semi))
          Clear = false;
        if (Kind == tok::l_brace && Depth++ == 0)
          Out.Begin = Start + At + 1;
        if (Kind == tok::r_brace && Depth && --Depth == 0) {
          Out.End = Start + At;
          Ended = true;
        }
      });
  return Ended && Clear ? std::optional(Out) : std::nullopt;
}

} // namespace

std::optional<std::string> onlyChanged(const View &Known, StringRef Before,
                                       StringRef After) {
  if (Before == After || Known.Kernels.size() < 2 ||
      any_of(Known.Notes,
             [](const ViewNote &N) { return N.Severity == ViewNote::Error; }))
    return std::nullopt;
  auto [Front, Back] = sameLines(Before, After);
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

} // namespace clrewrite::lsp
