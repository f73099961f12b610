#include "sum.h"

__kernel void rows(__global const ushort *image, __global ushort *out,
                   int stride) {
  int y = get_global_id(0);
  for (int x = 0; x < stride / 8; ++x)
    vstore8(box(image, y * stride + x, (y + 4) * stride + x,
                y * stride + x + 5, (y + 9) * stride + x + 5),
            y * stride + x, out);
}
