// The OpenCL C of the kernels is written, with as many chains as are asked for.
#include "instrument/MadKernels.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::instrument {

StringRef nameOf(MadType T) {
  static constexpr StringLiteral Names[] = {"float", "half", "double", "int"};
  return Names[size_t(T)];
}

/// The vector of \p Of as wide as chains are.
static std::string wide(StringRef Of, unsigned Width) {
  return Width == 1 ? Of.str() : (Of + Twine(Width)).str();
}

/// Chain K's first values in lane L are (1 + seed + 64 K + 4 L) / 512, or for
/// integers without the division.
static void writeStarts(raw_ostream &OS, MadType Type, unsigned Width,
                        unsigned Chains) {
  std::string Element =
      Type == MadType::Int ? "uint" : std::string(nameOf(Type));
  std::string Of = wide(Element, Width);
  OS << "  " << Of << " lanes = (" << Of << ")(";
  for (unsigned L = 0; L < Width; ++L)
    OS << (L ? ", " : "") << L * 4;
  OS << ");\n";
  for (unsigned K = 0; K < Chains; ++K) {
    OS << formatv("  {0} x{1} = (lanes + ({2})(seed + {3}u))", Of, K, Element,
                  1 + 64 * K);
    if (Type != MadType::Int)
      OS << formatv(" * ({0})(1.0f / 512)", Element);
    OS << ";\n";
  }
}

/// The chains' bits in one word, each step of which can be undone.
static void writeEnd(raw_ostream &OS, MadType Type, unsigned Width,
                     unsigned Chains) {
  bool Long = Type == MadType::Double, Short = Type == MadType::Half;
  std::string Word = Long ? "ulong" : "uint";
  auto bits = [&](unsigned K) -> std::string {
    std::string X = "x" + std::to_string(K);
    if (Type == MadType::Int)
      return X;
    if (Short)
      return "convert_" + wide("uint", Width) + "(as_" + wide("ushort", Width) +
             "(" + X + "))";
    return "as_" + wide(Word, Width) + "(" + X + ")";
  };
  OS << "  " << wide(Word, Width) << " all = " << bits(0) << ";\n";
  for (unsigned K = 1; K < Chains; ++K)
    OS << formatv("  all = all * ({0})31 + {1};\n", Word, bits(K));
  if (Width == 1)
    OS << "  " << Word << " one = all;\n";
  else
    OS << "  " << Word << " one = all.s0;\n";
  for (unsigned L = 1; L < Width; ++L)
    OS << formatv("  one = one * 31 + all.s{0:x-}", L) << ";\n";
  OS << "  out[get_global_id(0)] = "
     << (Long ? "(uint)(one ^ one >> 32)" : "one") << ";\n";
}

static void writeKernel(raw_ostream &OS, MadType Type, unsigned Width,
                        unsigned Chains) {
  OS << formatv("kernel void mad{0}(global uint *out, uint loops, float c) {{\n"
                "  uint seed = (uint)get_global_id(0) % {1}u;\n",
                Chains, MadSeeds);
  if (Type == MadType::Int)
    OS << "  uint a = as_uint(c) | 1;\n";
  else
    OS << formatv("  {0} a = ({0})c;\n", nameOf(Type));
  writeStarts(OS, Type, Width, Chains);
  OS << "  for (uint i = 0; i < loops; ++i) {\n";
  if (Type == MadType::Int)
    OS << "    uint m = i * 8 + 5;\n";
  for (unsigned Step = 0; Step < MadUnroll; ++Step)
    for (unsigned K = 0; K < Chains; ++K)
      OS << formatv(Type == MadType::Int ? "    x{0} = x{0} * m + a;\n"
                                         : "    x{0} = x{0} * x{0} + a;\n",
                    K);
  OS << "  }\n";
  writeEnd(OS, Type, Width, Chains);
  OS << "}\n";
}

std::string madKernels(MadType Type, unsigned Width) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (Type == MadType::Half)
    OS << "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  if (Type == MadType::Double)
    OS << "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  for (unsigned Chains : MadChains)
    writeKernel(OS, Type, Width, Chains);
  return Text;
}

} // namespace clrewrite::instrument
