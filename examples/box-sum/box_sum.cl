// Sums a window of counts at every position, from an integral image: the sum
// over the window is bottom-right + top-left - top-right - bottom-left. Eight
// neighbouring positions a work-item.

typedef struct {
  int width;
  int height;
  int stride; // in elements; a multiple of 8
} image_size;

__kernel void box_sum(image_size in_size, __global const ushort *integral,
                      image_size out_size, __global ushort8 *sums, int window,
                      ushort least) {
  int row = (int)get_global_id(1);
  int column = (int)get_global_id(0);
  sums += row * out_size.stride >> 3;

  int top_left = row * in_size.stride;
  int top_right = top_left + window;
  int bottom_left = (row + window) * in_size.stride;
  int bottom_right = bottom_left + window;

  ushort8 sum = vload8(column, integral + bottom_right) +
                vload8(column, integral + top_left) -
                vload8(column, integral + top_right) -
                vload8(column, integral + bottom_left);
  // What lies below the threshold is noise.
  sums[column] = sum >= least ? sum : (ushort8)(0);
}
