// The original is launched with ever fewer work-items until it fits.
#include "verify/GuessLaunch.h"
#include "verify/Build.h"
#include "verify/Trial.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::verify {

/// What one launch may take on the device that it is tried on, where it is run
/// twice, and again with each larger buffer.
static constexpr double MostSeconds = 4;
/// For finding integer arguments, as a part of all the time.
static constexpr double DrawsShare = 0.3;
/// Each run draws the same numbers.
static constexpr uint64_t Seed = 1;

Expected<TrialLaunch> guessLaunch(const Source &Text,
                                  const rewrite::KernelInfo &Kernel,
                                  LaunchShape Given, const ChosenDevice &Device,
                                  double Seconds) {
  opencl::DeviceAnswer Built = build(Text, Device, Arithmetic::Given);
  if (!Built.ok())
    return createStringError("it does not build on " + Device.Name + ": " +
                             whyNotBuilt(Built, Text));
  const json::Object *Told = kernelNamed(Built, Kernel.Name);
  if (!Told)
    return createStringError("there is no such kernel on " + Device.Name);
  KernelShape Shape = describeKernel(*Told, &Kernel);
  if (!Shape.Problem.empty())
    return createStringError(Shape.Problem);
  const Inputs In(Shape, std::move(Given), Seed);
  const json::Object Program = deviceProgram(Text, Arithmetic::Given);
  Trial Runs(*Device.Channel, Device.Index, Shape, Program, Program, Seconds,
             Tolerances());
  if (!Runs.compile(In))
    return createStringError("its smallest launch takes too long, or ends the "
                             "device program");
  std::vector<SuitableDraw> Draws =
      suitableDraws(Runs, In, DrawsShare * Seconds);
  if (In.hasDraws() && Draws.empty())
    return createStringError(
        "no integer arguments were found with which it ends "
        "soon and stays within its buffers");
  if (Draws.empty())
    Draws.emplace_back();
  // The first draws are the sizes themselves, as in most launches: a loop to a
  // size runs, where a million work-items with a count of 1 have none.
  llvm::stable_sort(Draws, [](const SuitableDraw &A, const SuitableDraw &B) {
    return A.R.Draw < B.R.Draw;
  });
  for (const SuitableDraw &Draw : Draws) {
    // What two small launches need tells what a large one does: one that leaves
    // its buffers costs a GPU's driver, which takes seconds to start.
    Recipe R = Draw.R;
    R.Kind = Contents::Small;
    bool Ended = false;
    std::optional<Growth> Grows = growthOf(Runs, In, R, MostSeconds, Ended);
    if (!Grows)
      continue;
    bool IsTried = false;
    for (auto Items : {Recipe::Million, Recipe::Thousands, Recipe::Hundreds}) {
      if (Runs.left() <= 0)
        return createStringError("the time to look for one was over");
      R.Shape = Items;
      // Where the margins of buffers tell of an access, all of them grow at
      // once, so that the smallest launch may do with less.
      const bool IsLast = Items == Recipe::Hundreds && !IsTried;
      std::optional<Fit> Buffers =
          In.expected(R, *Grows, IsLast ? INFINITY : Inputs::GrowthOfAll);
      if (!Buffers)
        continue;
      IsTried = true;
      Trial::Look Seen = Runs.look(In, R, MostSeconds, &*Buffers);
      if (Seen.Valid && Seen.Changed)
        return In.make(R, Seen.Fitting, 0);
    }
  }
  return createStringError("with 4096 work-items or more it leaves its "
                           "buffers, takes too long, writes nothing, or leaves "
                           "other results each time");
}

} // namespace clrewrite::verify
