// What work-items do, counted in a child, since LLVM may crash.
#include "measure/OfflineMeter.h"
#include "source/BoundedJson.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::measure {

static WorkReport problem(const std::string &Why) { return {{}, Why}; }

WorkReport OfflineMeter::work(const MeasureRequest &Request,
                              const ScalarArguments &Arguments) {
  bool ForAmd = Request.On.Kind == TargetKind::Amdgcn && Amd;
  bool ForNvidia = Request.On.Kind == TargetKind::Nvptx && Nvidia;
  if (!ForAmd && !ForNvidia)
    return problem(
        "what work-items do is counted for AMD's GPUs from GCN on and "
        "for NVIDIA's, not for " +
        Request.On.Name);
  if (Error E = load({Request}))
    return problem(toString(std::move(E)));
  std::function<std::string()> Work = [&] {
    return formatv("{0}", toJSON(ForAmd ? Amd->work(Request, Arguments)
                                        : Nvidia->work(Request, Arguments)))
        .str();
  };
  process::ChildResult Result = process::runInChildren({Work}, Limits).front();
  if (Result.Status != process::ChildResult::Done)
    return problem("LLVM " + Result.Problem);
  WorkReport Out;
  json::Path::Root Root;
  Expected<json::Value> V = parseJson(Result.Output);
  if (!V) {
    consumeError(V.takeError());
    return problem("the compiling process sent no result");
  }
  return fromJSON(*V, Out, Root)
             ? Out
             : problem("the compiling process sent no result");
}

} // namespace clrewrite::measure
