// Proof within the pipeline: two sources, compiled and compared in a child.
#pragma once

#include "prove/Prove.h"
#include "source/Source.h"
#include "verify/Verify.h"

namespace clrewrite::pipeline {

/// Whether \p Kernel in \p After leaves the same as in \p Before, whatever its
/// inputs are, launched as \p How says. Both are compiled as verification does
/// it, without contraction. \p Standard is the -cl-std= for sources that choose
/// none.
prove::Proof prove(const Source &Before, const Source &After,
                   const std::string &Standard, const std::string &Kernel,
                   const verify::VerifyOptions &How);

/// Launches in which \p Kernel of \p Original may take some of the branches of
/// \p Copy that \p Branches names by their numbers.
std::vector<prove::Suspect>
launchesThatTake(const std::vector<unsigned> &Branches, const Source &Original,
                 const verify::Instrumented &Copy, const std::string &Standard,
                 const std::string &Kernel, const verify::VerifyOptions &How);

/// Launches of \p Kernel that \p Suspects are.
std::vector<verify::LaunchShape>
shapesOf(llvm::ArrayRef<prove::Suspect> Suspects,
         const rewrite::KernelInfo &Kernel);

/// Says in \p V, what running the kernel on \p On showed, what is proved of it.
/// What is proved needs no run, but a run that shows a difference counts. Where
/// both are so, the launch runs again without optimisation: if the versions are
/// the same then, the driver's compiler is suspected.
void addProof(verify::Verification &V, const prove::Proof &P,
              const verify::ChosenDevice &On);

/// The proof in words: "proved equal for all inputs", or why not.
std::string words(const prove::Proof &P);

} // namespace clrewrite::pipeline
