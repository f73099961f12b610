// One text's way through the pipeline.
#pragma once

#include "pipeline/Pipeline.h"
#include "process/Workers.h"
#include <set>

namespace clrewrite::pipeline {

struct Done {
  report::FileReport Report;
  std::string Given;   ///< the text that was worked on
  std::string Written; ///< all of its file as it was written; empty: it was not
};

/// Works on unit \p Number (from 1) of \p Of. \p Lookers answer as lookHere()
/// does. \p Told holds what the compiler
/// said of units before it, and gets what it says of this one. Problems end up
/// in the report, and are told by \p Options.
Done work(Unit What, measure::Meter &M, process::Workers &Lookers,
          const PipelineOptions &Options, size_t Number, size_t Of,
          std::set<std::string> &Told);

} // namespace clrewrite::pipeline
