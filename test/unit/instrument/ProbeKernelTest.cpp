// The probe's kernels: their text, and the model of what they leave.
#include "instrument/ProbeKernel.h"
#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::instrument;
using namespace llvm;

TEST(ProbeKernel, HasARingOfVariables) {
  std::string Four = probeKernel(4);
  EXPECT_EQ(StringRef(Four).count("uint v"), 4u);
  // Sixteen turns of four updates.
  EXPECT_EQ(StringRef(Four).count(" += v"), 64u);
  EXPECT_NE(Four.find("v1 += v0 >> 2;\n    v2 += v1 >> 3;\n"
                      "    v3 += v2 >> 1;\n    v0 += v3 >> 1;\n"),
            std::string::npos);
  EXPECT_NE(Four.find("= v0 ^ v1 ^ v2 ^ v3;"), std::string::npos);
}

TEST(ProbeKernel, LargeOnesStaySmallTexts) {
  EXPECT_EQ(probeTurnsTogether(4), 16u);
  EXPECT_EQ(probeTurnsTogether(20), 2u);
  EXPECT_EQ(probeTurnsTogether(64), 1u);
  EXPECT_EQ(probeTurnsTogether(2048), 1u);
  EXPECT_EQ(StringRef(probeKernel(512)).count(" += v"), 512u);
  for (unsigned N = 4; N <= 2048; N += 4)
    EXPECT_EQ(ProbeTurns % probeTurnsTogether(N), 0u);
}

TEST(ProbeKernel, ModelDoesOneTurnAsByHand) {
  // Starts 7 * {1, 2654435761, 1013904227, 3668339987}, modulo 2^32.
  uint32_t V0 = 7, V1 = 7 * 2654435761u, V2 = 7 * 1013904227u,
           V3 = 7 * 3668339987u;
  V1 += V0 >> 2;
  V2 += V1 >> 3;
  V3 += V2 >> 1;
  V0 += V3 >> 1;
  EXPECT_EQ(probeResult(4, 1, 7, 0), V0 ^ V1 ^ V2 ^ V3);
}

TEST(ProbeKernel, ResultsTellTurnsVariablesAndItems) {
  uint32_t Right = probeResult(8, 16, 5, 0);
  EXPECT_NE(Right, probeResult(8, 15, 5, 0));
  EXPECT_NE(Right, probeResult(12, 16, 5, 0));
  EXPECT_NE(Right, probeResult(8, 16, 5, 1));
  EXPECT_EQ(Right, probeResult(8, 16, 5, ProbeSeeds));
  EXPECT_EQ(probeResult(8, 16, 5, 1), probeResult(8, 16, 6, 0));
}
