#pragma once

// The sum of a box of pixels, from an integral image.
inline ushort8 box(__global const ushort *image, int a, int b, int c, int d) {
  return vload8(a, image) - vload8(b, image) - vload8(c, image) +
         vload8(d, image);
}
