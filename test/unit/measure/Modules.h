// Modules of LLVM's IR for tests.
#pragma once

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

namespace clrewrite {

/// The module of \p Text; null, and a failure, where that can't be read.
inline std::unique_ptr<llvm::Module> moduleOf(llvm::StringRef Text,
                                              llvm::LLVMContext &Context) {
  llvm::SMDiagnostic Error;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(Text, Error, Context);
  EXPECT_TRUE(M) << Error.getMessage().str() << "\n" << Text.str();
  return M;
}

/// Runs the middle end on \p M, with what \p Extend adds to it.
inline void runMiddleEnd(llvm::Module &M, void (*Extend)(llvm::PassBuilder &)) {
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassBuilder Passes;
  Extend(Passes);
  Passes.registerModuleAnalyses(MAM);
  Passes.registerCGSCCAnalyses(CGAM);
  Passes.registerFunctionAnalyses(FAM);
  Passes.registerLoopAnalyses(LAM);
  Passes.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(M, MAM);
}

} // namespace clrewrite
