// Requests that several answer, each those of its own.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace clrewrite::measure {

/// What one of them is asked, all at once, and where it stands among all.
template <typename Request> struct Share {
  std::vector<Request> Requests;
  std::vector<size_t> Places;

  /// Puts \p Answers, one for each of Requests, where their requests stand.
  template <typename Result>
  void put(std::vector<Result> Answers, std::vector<Result> &Into) const {
    for (auto [Place, Answer] : llvm::zip(Places, Answers))
      Into[Place] = std::move(Answer);
  }
};

/// The shares of \p Requests by who answers each, which \p WhoOf says by its
/// number and the request; one for which that is null is in no share.
template <typename Who, typename Request, typename Fn>
llvm::MapVector<Who *, Share<Request>>
sharesOf(llvm::ArrayRef<Request> Requests, Fn WhoOf) {
  llvm::MapVector<Who *, Share<Request>> Out;
  for (size_t I = 0; I < Requests.size(); ++I)
    if (Who *Each = WhoOf(I, Requests[I])) {
      Out[Each].Requests.push_back(Requests[I]);
      Out[Each].Places.push_back(I);
    }
  return Out;
}

} // namespace clrewrite::measure
