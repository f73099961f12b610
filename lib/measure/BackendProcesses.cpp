// Asking workers to compile, and reading what they answer.
#include "measure/BackendProcesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::measure {

using process::ChildResult;

/// \p Problem without the addresses that LLVM prints, which differ from run to
/// run.
static std::string withoutAddresses(StringRef Problem) {
  std::string Out;
  for (StringRef Rest = Problem; !Rest.empty();) {
    StringRef Digits = Rest;
    size_t Length =
        Digits.consume_front("0x") ? Digits.take_while(isHexDigit).size() : 0;
    if (Length >= 8 || (Length && Length == Digits.size())) { // or cut short
      Rest = Digits.drop_front(Length);
      Rest.consume_front(": ");
      Rest.consume_front(" ");
      continue;
    }
    Out += Rest.front();
    Rest = Rest.drop_front();
  }
  return StringRef(Out).rtrim(", ").str();
}

template <typename T> static Answer<T> answered(const ChildResult &Result) {
  Answer<T> Out;
  if (Result.Status != ChildResult::Done) {
    Out.Lasting = false;
    Out.Value.Problem = "LLVM " + withoutAddresses(Result.Problem);
  } else if (std::optional<T> Value = valueOf<T>(Result.Output)) {
    Out.Value = std::move(*Value);
  } else {
    Out.Lasting = false;
    Out.Value.Problem = "the compiling process sent no result";
  }
  return Out;
}

template <typename T> static Answer<T> notLoaded(const std::string &Problem) {
  Answer<T> Out;
  Out.Value.Problem = Problem;
  return Out;
}

BackendProcesses::BackendProcesses(std::unique_ptr<Backend> Given,
                                   process::ChildLimits Limits)
    : With(std::move(Given)),
      Children([B = With.get()](StringRef Asked) { return answer(*B, Asked); },
               Limits, With->requestsOfAProcess()),
      AtOnce(Limits.atOnce()) {}

/// Has the libraries read that \p Requests need, so that children inherit
/// them.
Error BackendProcesses::load(ArrayRef<MeasureRequest> Requests) {
  for (const MeasureRequest &R : Requests)
    if (Error E = With->load(R.On.Cpu))
      return E;
  return Error::success();
}

static CompileRequest stepsRequest(StringRef Cpu, unsigned WaveSize) {
  CompileRequest R;
  R.What.On.Cpu = Cpu.str();
  R.Wanted = CompileRequest::Steps;
  R.WaveSize = WaveSize;
  return R;
}

/// Fills in what the steps of occupancy tell. A kernel may have waves of its
/// own size, by an attribute; what they give is asked for when one turns up.
void BackendProcesses::explain(const MeasureRequest &Request,
                               Measurement &Into) {
  if (!With->stepsWanted(Request))
    return;
  for (KernelUsage &K : Into.Kernels) {
    if (!K.Figures.WaveSize)
      continue;
    StepsKey Key(Request.On.Cpu, *K.Figures.WaveSize);
    if (!Steps.count(Key)) {
      std::string Question = packed(stepsRequest(Key.first, Key.second));
      Steps[Key] =
          valueOf<OccupancySteps>(Children.run(Question).front().Output)
              .value_or(OccupancySteps());
    }
    explainOccupancy(K.Figures, Steps[Key]);
  }
}

void BackendProcesses::begin(ArrayRef<MeasureRequest> Requests,
                             unsigned Parallel) {
  Now.emplace();
  if (Error E = load(Requests)) {
    Now->Problem = toString(std::move(E));
    return;
  }
  // The steps of processors that are new come first, beside the compilations.
  std::vector<std::string> Questions;
  for (const MeasureRequest &R : Requests) {
    std::optional<unsigned> WaveSize = With->stepsWanted(R);
    if (!WaveSize)
      continue;
    StepsKey Key(R.On.Cpu, *WaveSize);
    if (Steps.count(Key) || is_contained(Now->Steps, Key))
      continue;
    Now->Steps.push_back(Key);
    Questions.push_back(packed(stepsRequest(Key.first, Key.second)));
  }
  for (const MeasureRequest &R : Requests)
    Questions.push_back(packed({R}));
  Children.begin(std::move(Questions), Parallel);
}

std::vector<Answer<Measurement>>
BackendProcesses::measure(ArrayRef<MeasureRequest> Requests) {
  if (!Now)
    begin(Requests, AtOnce);
  Begun Ends = std::move(*Now);
  Now.reset();
  if (!Ends.Problem.empty())
    return std::vector(Requests.size(), notLoaded<Measurement>(Ends.Problem));
  std::vector<ChildResult> Results = Children.finish();
  ArrayRef<ChildResult> Rest = Results;
  for (const StepsKey &Key : Ends.Steps) {
    Steps[Key] =
        valueOf<OccupancySteps>(Rest.front().Output).value_or(OccupancySteps());
    Rest = Rest.drop_front();
  }
  std::vector<Answer<Measurement>> Out;
  for (auto [R, Result] : zip(Requests, Rest)) {
    Out.push_back(answered<Measurement>(Result));
    explain(R, Out.back().Value);
  }
  return Out;
}

template <typename T> Answer<T> BackendProcesses::one(const CompileRequest &R) {
  if (Error E = load(R.What))
    return notLoaded<T>(toString(std::move(E)));
  return answered<T>(Children.run(packed(R)).front());
}

Answer<PressureReport>
BackendProcesses::pressure(const MeasureRequest &Request) {
  if (!With->seesLiveRegisters())
    return {PressureReport{{}, NoPressure.str()}, /*Lasting=*/false};
  return one<PressureReport>({Request, CompileRequest::Pressure});
}

Answer<WorkReport> BackendProcesses::work(const MeasureRequest &Request) {
  if (!With->countsWork())
    return {WorkReport{{},
                       "what work-items do is counted for AMD's GPUs from GCN "
                       "on and for NVIDIA's, not for " +
                           Request.On.Name},
            /*Lasting=*/false};
  return one<WorkReport>({Request, CompileRequest::Work});
}

} // namespace clrewrite::measure
