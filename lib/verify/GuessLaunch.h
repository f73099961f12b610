// A launch by which a kernel can be timed of which nobody has said how it is
// launched.
//
// It is found as verification finds its launches (Inputs.h): the original is
// run, with integer arguments that are sizes, halves and multiples of them, or
// small counts, and its buffers grow until it stays within them. A launch that
// is to be timed has a million work-items. Where no such launch is valid, or
// takes too long on the device that it is tried on, it has 65536 or 4096: the
// buffers of a product of matrices grow with the square of its size.
#pragma once

#include "source/Source.h"
#include "verify/Device.h"
#include "verify/Inputs.h"

namespace clrewrite::verify {

/// A launch of \p Kernel, of \p Text, with what \p Given has of it. It runs
/// the original on \p Device for \p Seconds at most. The error says why there
/// is none.
llvm::Expected<TrialLaunch>
guessLaunch(const Source &Text, const rewrite::KernelInfo &Kernel,
            LaunchShape Given, const ChosenDevice &Device, double Seconds);

} // namespace clrewrite::verify
