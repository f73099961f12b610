// The stage begins with a plan that is read, and ends with what came of it.
#include "Stage.h"
#include "../Layer.h"
#include <cstdio>

namespace clrewrite::layer::planned {

cl_icd_dispatch Driver;

static Stage *TheStage;

Stage *stage() { return TheStage; }

void tell(const std::string &What, const std::string &More) {
  {
    std::lock_guard<std::mutex> Guard(TheStage->Lock);
    if (!TheStage->Told.insert(What).second)
      return;
  }
  fprintf(stderr, "clrewrite: %s%s\n", What.c_str(), More.c_str());
}

void tellOfProgram(const std::string &Hash, const std::string &Why,
                   const std::string &More) {
  tell("the plan of program " + Hash.substr(0, 8) + " is not used: " + Why,
       More);
}

void readStage(const char *Path) {
  std::string Text, Why = "it cannot be read";
  std::optional<plan::Plan> Read;
  if (readFile(Path, Text, plan::MostBytes))
    Read = plan::readPlan(Text, Why);
  if (!Read) {
    fprintf(stderr, "clrewrite: no plan is used: %s: %s\n", Path, Why.c_str());
    return;
  }
  // It lives as long as the process, as the layer's state does.
  TheStage = new Stage;
  TheStage->Plan = std::move(*Read);
  for (const plan::Program &P : TheStage->Plan.Programs)
    for (const plan::Kernel &K : P.Kernels)
      TheStage->Launches[{P.Hash, K.Name}];
}

void wrapAll(cl_icd_dispatch &Table) {
  Driver = Table;
  wrapPrograms(Table);
  wrapKernels(Table);
  wrapLaunches(Table);
  // Other plans have nothing to ask of buffers.
  for (const plan::Program &P : TheStage->Plan.Programs)
    for (const plan::Kernel &K : P.Kernels)
      if (!K.When.Apart.empty())
        return wrapMemory(Table);
}

static const char *reasonOf(Fate F) {
  switch (F) {
  case Fate::Taken:
    break;
  case Fate::Argument:
    return "an argument had another value";
  case Fate::Apart:
    return "two buffers had bytes in common, or may have had";
  case Fate::Multiple:
    return "the global size was no multiple of what it must be";
  case Fate::Local:
    return "the local size was another";
  case Fate::Offset:
    return "there was a global offset";
  case Fate::Device:
    return "the device was another";
  case Fate::OwnLimits:
    return "the local size did not fit the program's own kernel and the global "
           "size";
  case Fate::RefusedArgument:
    return "the driver refused an argument of the planned kernel";
  case Fate::RefusedLaunch:
    return "the driver refused to launch the planned kernel";
  case Fate::Extension:
    return "arguments may have been set unseen";
  }
  return "";
}

static void report(const std::string &Hash, const std::string &Name,
                   const Counts &C) {
  std::string Why;
  uint64_t Others = 0;
  for (size_t I = 1; I < FateCount; ++I)
    if (uint64_t N = C.Of[I]) {
      Others += N;
      Why += (Why.empty() ? "" : "; ") + std::to_string(N) + " since " +
             reasonOf(Fate(I));
    }
  uint64_t Took = C.Of[size_t(Fate::Taken)];
  if (Took + Others)
    fprintf(stderr,
            "clrewrite: kernel %s: %llu launch%s took the plan, %llu did "
            "not%s%s\n",
            Name.c_str(), (unsigned long long)Took, Took == 1 ? "" : "es",
            (unsigned long long)Others, Why.empty() ? "" : ": ", Why.c_str());
  if (Layer *L = state(); L && L->Out)
    L->Out->write(std::move(Line("plan")
                                .text("program", Hash)
                                .text("kernel", Name)
                                .number("took", Took)
                                .number("others", Others)
                                .text("why", Why)));
}

void reportLaunches() {
  if (!TheStage)
    return;
  std::set<std::string> Met;
  {
    std::lock_guard<std::mutex> Guard(TheStage->Lock);
    Met = TheStage->Met;
  }
  for (const plan::Program &P : TheStage->Plan.Programs)
    if (!Met.count(P.Hash))
      tellOfProgram(P.Hash, "no program of that text was made from source");
  for (const auto &[Key, C] : TheStage->Launches)
    report(Key.first, Key.second, C);
  if (Layer *L = state(); L && L->Out)
    L->Out->write(
        std::move(Line("plan_builds").number("ns", TheStage->BuildNs)));
}

} // namespace clrewrite::layer::planned
