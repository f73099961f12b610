// Work-groups that do nothing, of several sizes, and some that store a word each: how soon a GPU
// begins one after the other.

#define NOTHING \
  if (n == 12345) \
    out[get_global_id(0)] = n;
#define A_WORD out[get_global_id(0)] = n;

// clrewrite: launch global=16777216 local=32 out=64M n=3
kernel void nothing_32(global int *out, int n) { NOTHING }

// clrewrite: launch global=16777216 local=64 out=64M n=3
kernel void nothing_64(global int *out, int n) { NOTHING }

// clrewrite: launch global=16777216 local=128 out=64M n=3
kernel void nothing_128(global int *out, int n) { NOTHING }

// clrewrite: launch global=16777216 local=256 out=64M n=3
kernel void nothing_256(global int *out, int n) { NOTHING }

// clrewrite: launch global=16777216 local=512 out=64M n=3
kernel void nothing_512(global int *out, int n) { NOTHING }

// clrewrite: launch global=8388608 local=64 out=64M n=3
kernel void nothing_64_half(global int *out, int n) { NOTHING }

// clrewrite: launch global=16777216 local=64 out=64M n=3
kernel void word_64(global int *out, int n) { A_WORD }

// clrewrite: launch global=16777216 local=256 out=64M n=3
kernel void word_256(global int *out, int n) { A_WORD }
