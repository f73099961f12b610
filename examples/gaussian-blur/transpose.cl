// Rows become columns, so that the filter of the columns can do both. Work-
// groups are 16 x 16, and the image's sides are multiples of that.

enum { TILE = 16 };

// The reads of a wave lie side by side, its writes a column apart.
__kernel void transpose_naive(__global const float *in, __global float *out,
                              int width, int height) {
  int x = (int)get_global_id(0);
  int y = (int)get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

// Through local memory both lie side by side; but a column of the tile is in
// one or two banks of it.
__kernel void transpose_local(__global const float *in, __global float *out,
                              int width, int height) {
  __local float tile[TILE * TILE];
  int i = (int)get_local_id(0);
  int j = (int)get_local_id(1);
  int left = (int)get_group_id(0) * TILE;
  int top = (int)get_group_id(1) * TILE;
  tile[i * TILE + j] = in[(top + j) * width + left + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + j) * height + top + i] = tile[j * TILE + i];
}

// A column more, which nobody reads, puts a column of the tile into as many
// banks as it has rows.
__kernel void transpose_padded(__global const float *in, __global float *out,
                               int width, int height) {
  __local float tile[TILE * (TILE + 1)];
  int i = (int)get_local_id(0);
  int j = (int)get_local_id(1);
  int left = (int)get_group_id(0) * TILE;
  int top = (int)get_group_id(1) * TILE;
  tile[i * (TILE + 1) + j] = in[(top + j) * width + left + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + j) * height + top + i] = tile[j * (TILE + 1) + i];
}

// The work-groups that run at one time would write one below the other, which
// is one channel of memory where a column's pitch is a large power of two. Here
// they lie on a diagonal.
__kernel void transpose_skewed(__global const float *in, __global float *out,
                               int width, int height) {
  __local float tile[TILE * (TILE + 1)];
  int i = (int)get_local_id(0);
  int j = (int)get_local_id(1);
  int group = (int)get_group_id(0);
  int left = group * TILE;
  int top =
      ((int)get_group_id(1) + group) % (int)get_num_groups(1) * TILE;
  tile[i * (TILE + 1) + j] = in[(top + j) * width + left + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + j) * height + top + i] = tile[j * (TILE + 1) + i];
}
