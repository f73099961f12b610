// The heap of a process that compiles.
#pragma once

#include <cstddef>

namespace clrewrite::process {

/// To be called once, before much is allocated: what one piece of work frees
/// the next one takes, with its pages, and the first 128 MiB of the heap are
/// asked for as large pages. The system then has a few pages of 2 MiB to find,
/// to copy into children and to take back, where it had thousands. What has
/// \p Largest bytes or more is mapped apart, and given back. Does nothing where
/// the C library or the system has no such thing.
void keepHeap(std::size_t Largest = 32 << 20);

} // namespace clrewrite::process
