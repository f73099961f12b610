// The heap of a process that compiles.
#pragma once

namespace clrewrite::process {

/// To be called once, before much is allocated: what one piece of work frees
/// the next one takes, with its pages, and the first 128 MiB of the heap are
/// asked for as large pages. The system then has a few pages of 2 MiB to find,
/// to copy into children and to take back, where it had thousands. Does nothing
/// where the C library or the system has no such thing.
void keepHeap();

} // namespace clrewrite::process
