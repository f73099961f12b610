// Writing the probe's kernels, and doing on the host what they do.
#include "instrument/ProbeKernel.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace clrewrite::instrument {

unsigned probeTurnsTogether(unsigned Variables) {
  constexpr unsigned Updates = 64;
  unsigned Turns = 1;
  while (Turns < ProbeTurns && Turns * 2 * Variables <= Updates)
    Turns *= 2;
  return Turns;
}

/// The shift of the variable's update, from 1 to 3.
static unsigned shiftOf(unsigned Variable) { return Variable % 3 + 1; }

/// What makes the variables' first values differ; odd.
static uint32_t factorOf(unsigned Variable) {
  return (Variable * 2654435761u) | 1;
}

std::string probeKernel(unsigned Variables) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "kernel void probe(global uint *out, uint turns, uint seed) {\n"
     << formatv("  uint start = seed + (uint)get_global_id(0) % {0}u;\n",
                ProbeSeeds);
  for (unsigned V = 0; V < Variables; ++V)
    OS << formatv("  uint v{0} = start * {1}u;\n", V, factorOf(V));
  unsigned Together = probeTurnsTogether(Variables);
  OS << formatv("  for (uint i = 0; i < turns; i += {0}u) {{\n", Together);
  for (unsigned T = 0; T < Together; ++T)
    for (unsigned I = 0; I < Variables; ++I) {
      unsigned V = (I + 1) % Variables;
      OS << formatv("    v{0} += v{1} >> {2};\n", V, I, shiftOf(V));
    }
  OS << "  }\n  out[get_global_id(0)] = ";
  for (unsigned V = 0; V < Variables; ++V)
    OS << (V == 0 ? "" : V % 8 == 0 ? " ^\n      " : " ^ ") << "v" << V;
  OS << ";\n}\n";
  return Text;
}

uint32_t probeResult(unsigned Variables, unsigned Turns, uint32_t Seed,
                     unsigned Item) {
  std::vector<uint32_t> Values;
  for (unsigned V = 0; V < Variables; ++V)
    Values.push_back((Seed + Item % ProbeSeeds) * factorOf(V));
  for (unsigned T = 0; T < Turns; ++T)
    for (unsigned I = 0; I < Variables; ++I) {
      unsigned V = (I + 1) % Variables;
      Values[V] += Values[I] >> shiftOf(V);
    }
  uint32_t Out = 0;
  for (uint32_t V : Values)
    Out ^= V;
  return Out;
}

} // namespace clrewrite::instrument
