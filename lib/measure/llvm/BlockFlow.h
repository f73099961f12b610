// How often machine blocks run, where it is known of some of them.
//
// The code generator skips, duplicates and splits blocks, so that what an
// execution of the IR counted holds for some machine blocks only. But the
// wave takes one way through the machine code: it leaves a block as often as it
// enters it, and that tells the rest.
#pragma once

#include <optional>
#include <vector>

namespace clrewrite::measure {

struct BlockFlow {
  struct Block {
    std::vector<unsigned> Next; ///< successors, by number
    /// How often it runs by the IR, where it is the only one of its IR block.
    std::optional<double> Told;
    /// How often it may be taken to run where nothing else tells.
    double Otherwise = 0;
    double Runs = 0; ///< out
    /// How often it is left for each of Next (out).
    std::vector<double> Left = {};
  };
  /// The first is the entry, which runs Told or Otherwise times.
  std::vector<Block> Blocks;

  /// Fills Runs and Left. What the IR tells counts first where one branch alone
  /// leads to the block: there it is decided whether a lane comes. Other blocks
  /// run as often as they are reached, also with no lane where the code
  /// generator left out the branch around a few instructions.
  void solve();
};

} // namespace clrewrite::measure
