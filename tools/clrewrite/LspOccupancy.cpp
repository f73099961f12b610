// Kernels as data for an editor that draws them: their figures, and how their
// occupancy would change with what they take. The curves take some tenths of a
// second a target, so they are found out when somebody asks, in a process
// beside the one that measures, and kept until the text or the settings change.
#include "LspServer.h"
#include "lsp/Occupancy.h"

using namespace llvm;

namespace clrewrite::cli {

void LspServer::kernels(Document &D, Reply R) {
  when(D, /*Searched=*/false, [D = &D, R = std::move(R)](Error E) mutable {
    if (E)
      return R(std::move(E));
    R(lsp::kernelsOf(D->What, /*Curves=*/{}));
  });
}

void LspServer::occupancy(Document &D, Reply R) {
  when(D, /*Searched=*/false,
       [this, D = &D, R = std::move(R)](Error E) mutable {
         if (E)
           return R(std::move(E));
         if (D->Curves)
           return R(lsp::kernelsOf(D->What, *D->Curves));
         D->CurveWaiters.push_back(std::move(R));
         if (!D->CurveJob)
           startCurves(*D);
       });
}

void LspServer::startCurves(Document &D) {
  Expected<config::Options> O = optionsFor(D, /*Search=*/false);
  if (!O)
    return answerCurves(D, toString(O.takeError()));
  O->Kernel.clear();
  O->Curves = true;
  LspJob::Listener L;
  L.Progress = [](const std::string &) {};
  L.Done = [this, Uri = D.Uri](Expected<lsp::View> What) {
    Document &D = Documents[Uri];
    D.CurveJob.reset();
    std::string Problem;
    if (What)
      D.Curves = std::move(*What);
    else
      Problem = toString(What.takeError());
    answerCurves(D, Problem);
  };
  D.CurveJob =
      std::make_unique<LspJob>(Loop, *O, textOf(D), Argv0, std::move(L));
}

void LspServer::answerCurves(Document &D, const std::string &Problem) {
  for (Reply &R : std::exchange(D.CurveWaiters, {})) {
    if (D.Curves)
      R(lsp::kernelsOf(D.What, *D.Curves));
    else
      R(make_error<LspError>(Problem, lsp::ErrorCode::ContentModified));
  }
}

void LspServer::dropCurves(Document &D, const std::string &Why) {
  D.CurveJob.reset();
  D.Curves.reset();
  answerCurves(D, Why);
}

} // namespace clrewrite::cli
