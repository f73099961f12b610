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

void BackendProcesses::begin(ArrayRef<MeasureRequest> Requests,
                             unsigned Parallel) {
  Begun = toString(load(Requests));
  if (!Begun->empty())
    return;
  std::vector<std::string> Questions;
  for (const MeasureRequest &R : Requests)
    Questions.push_back(packed({R}));
  Children.begin(std::move(Questions), Parallel);
}

std::vector<Answer<Measurement>>
BackendProcesses::measure(ArrayRef<MeasureRequest> Requests) {
  if (!Begun)
    begin(Requests, AtOnce);
  std::string Problem = std::move(*Begun);
  Begun.reset();
  if (!Problem.empty())
    return std::vector(Requests.size(), notLoaded<Measurement>(Problem));
  std::vector<Answer<Measurement>> Out;
  for (const ChildResult &Result : Children.finish())
    Out.push_back(answered<Measurement>(Result));
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
    return {WorkReport{{{},
                        "what work-items do is counted for AMD's GPUs from GCN "
                        "on and for NVIDIA's, not for " +
                            Request.On.Name}},
            /*Lasting=*/false};
  return one<WorkReport>({Request, CompileRequest::Work});
}

} // namespace clrewrite::measure
