// Images and samplers of the job `run` as values.
#pragma once

#include "Cl.h"
#include "Request.h"
#include "ScalarType.h"
#include <array>

namespace clrewrite::device {

/// The type, format and sizes of an image, whatever it holds.
struct ImageShape {
  std::string Type;             ///< "2d", "1d_array", ...
  std::string Order, Channel;   ///< "RGBA", "UNORM_INT8"
  size_t Width = 1, Height = 1; ///< pixels
  size_t Depth = 1;             ///< pixels, of a 3d image
  size_t Layers = 1;            ///< of an array
  cl_mem_object_type Kind = CL_MEM_OBJECT_IMAGE2D;
  cl_image_format Format = {CL_RGBA, CL_FLOAT};
  unsigned Channels = 4;
  /// One channel as it lies in memory: normalised ones are integers, halves
  /// and floats floating.
  ScalarType Component;

  size_t pixelBytes() const { return size_t(Channels) * Component.Size; }
  size_t bytes() const {
    return Width * Height * Depth * Layers * pixelBytes();
  }
  /// The region of the whole image, as clEnqueueReadImage takes it.
  std::array<size_t, 3> region() const;
  /// "2d image of RGBA FLOAT", for messages.
  std::string describe() const;
};

struct SamplerShape {
  bool Normalised = false;
  cl_addressing_mode Address = CL_ADDRESS_NONE;
  cl_filter_mode Filter = CL_FILTER_NEAREST;
};

/// Reads "type", "width", "height", "depth", "layers", "channel_order" and
/// "channel_type" of \p In. What is wrong is left in \p In.
ImageShape parseImage(Request &In);

/// Reads "normalized", "address" and "filter".
SamplerShape parseSampler(Request &In);

} // namespace clrewrite::device
