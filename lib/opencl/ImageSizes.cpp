// The type of an image says which sizes it has.
#include "opencl/ImageSizes.h"

using namespace llvm;

namespace clrewrite::opencl {

SmallVector<StringRef> imageSizeNames(StringRef Type) {
  SmallVector<StringRef> Names{"width"};
  if (Type.starts_with("2d") || Type == "3d")
    Names.push_back("height");
  if (Type == "3d")
    Names.push_back("depth");
  if (Type.ends_with("array"))
    Names.push_back("layers");
  return Names;
}

} // namespace clrewrite::opencl
