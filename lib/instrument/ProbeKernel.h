// Kernels that keep a given number of variables alive, and what they leave.
//
// N unsigned variables stand in a ring. In one turn each adds the one before
// it, shifted right:
//
//   v1 += v0 >> 2;  v2 += v1 >> 3;  ...  v0 += vN-1 >> 1;
//
// so that none is dead before the loop's end, none can be computed from fewer
// than N values, and a compiler has no shorter form of it: a shift right loses
// bits, so turns can't be joined. Every update costs the same (a shift, an
// addition), whatever N is; what a turn costs grows with N alone as long as
// the variables have registers. The ring is one chain of dependent operations,
// so that a GPU needs other waves to hide its latency: fewer of them shows.
//
// An iteration of the loop holds several turns where N is small, so that the
// loop's own instructions don't count, and one where N is large, so that the
// kernel builds quickly: about 64 updates, or N.
#pragma once

#include <cstdint>
#include <string>

namespace clrewrite::instrument {

/// The number of variables is a multiple of this.
constexpr unsigned ProbeUnit = 4;
/// The number of turns is a multiple of this.
constexpr unsigned ProbeTurns = 16;
/// Work-items with the same id modulo this compute the same.
constexpr unsigned ProbeSeeds = 8;

/// Turns in one iteration: a power of two from 1 to ProbeTurns.
unsigned probeTurnsTogether(unsigned Variables);

/// OpenCL C of the kernel `probe(global uint *out, uint turns, uint seed)`:
/// each work-item does so many turns, a multiple of ProbeTurns, and stores one
/// word.
std::string probeKernel(unsigned Variables);

/// What the work-item \p Item stores after \p Turns turns with \p Seed.
uint32_t probeResult(unsigned Variables, unsigned Turns, uint32_t Seed,
                     unsigned Item);

} // namespace clrewrite::instrument
