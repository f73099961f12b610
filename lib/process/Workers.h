// Child processes that answer one request after the other.
//
// A child for each piece of work (Child.h) inherits what the parent has read,
// but every page that it touches is mapped or copied again, and every table
// that LLVM fills in on first use is filled in again. Compiling a small kernel,
// that is a third of the time. So a worker stays, and is asked again. One that
// crashes or hangs costs its request alone: the next request starts another.
#pragma once

#include "process/Child.h"
#include "source/Beneath.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <sys/types.h>

namespace clrewrite::process {

class Workers {
public:
  /// \p Answer runs in the workers, which have what this process holds when the
  /// first request needs them. It must give the same answer to a request
  /// whatever was asked before, and opens files where it says so alone
  /// (source/OpenFiles.h). A worker is replaced after \p MostRequests:
  /// what LLVM keeps for later grows with the number of compilations, and some
  /// work uses up what its process has inherited.
  Workers(std::function<std::string(llvm::StringRef)> Answer,
          const ChildLimits &Limits, unsigned MostRequests = 200);
  /// The same with workers that are another program: each runs \p Program,
  /// whose stdin is the line on which it is asked, and answers (serveRequests).
  /// It has the variables and the folder of this process.
  Workers(std::vector<std::string> Program, const ChildLimits &Limits);
  /// Ends them.
  ~Workers();

  /// The answers to \p Requests, in order.
  std::vector<ChildResult> run(llvm::ArrayRef<std::string> Requests);
  /// The same in two steps, between which other Workers may begin. \p AtOnce
  /// work at a time, however many the limits allow.
  void begin(std::vector<std::string> Requests, unsigned AtOnce);
  std::vector<ChildResult> finish();

private:
  struct Worker;
  std::function<std::string(llvm::StringRef)> Answer; ///< or Program
  std::vector<std::string> Program;
  ChildLimits Limits;
  unsigned MostRequests;
  std::vector<std::unique_ptr<Worker>> Known;
  pid_t Owner; ///< a fork of this process has no workers
  /// What begin() was asked, and the answers so far.
  std::vector<std::string> Asked;
  std::vector<ChildResult> Results;
  size_t Next = 0; ///< of Asked, that no worker has been given
  size_t Parallel = 1;

  bool start(Worker &W);
  bool give(Worker &W, llvm::StringRef Request, size_t Index);
  void giveAll();
  void listen();
  int serve(FileHandle Line, const FileHandle &Err);
  int become(const FileHandle &Line, const FileHandle &Err);
};

/// In a program that Workers start: answers what comes on stdin until nobody
/// asks any more. Nothing else of it may read stdin, which is empty then.
/// Returns the exit status.
int serveRequests(llvm::function_ref<std::string(llvm::StringRef)> Answer);

} // namespace clrewrite::process
