// hoist-invariant: what moves in front of its loop, what each round copies, and
// what is declined.
//
// PAIR: before.cl after.cl
// PAIR: copies.cl copies-after.cl --alternative=copy
// RACES: copies-after.cl no: the recorded device takes minutes for its launches
// WRONG: after.cl filled_outside if (at < n) { => {

//--- before.cl
typedef struct {
  uint h[4];
  uint w[8];
  int len;
} State;

void start(State *s) {
  for (int i = 0; i < 4; ++i)
    s->h[i] = 0x9e3779b9u * (i + 1);
  for (int i = 0; i < 8; ++i)
    s->w[i] = 0;
  s->len = 0;
}

void add(State *s, const uint *data, int n) {
  for (int i = 0; i < n; ++i) {
    s->w[s->len & 7] ^= data[i & 7];
    s->h[i & 3] += rotate(s->w[s->len & 7], 5u) ^ s->h[(i + 1) & 3];
    s->len++;
  }
}

// A call without a loop is left to the compiler.
void zero(uint *to) {
  to[0] = to[1] = 0;
}

void schedule(uint *even, uint *odd, uint key) {
  for (int i = 0; i < 8; ++i) {
    even[i] = rotate(key, (uint)i);
    odd[i] = even[i] ^ key * 5u;
  }
}

// The hash of the salt is the same in each round. Where n is 0, it is not computed.
kernel void salted(global const uint *in, global uint *out, int n, int len) {
  n &= 7;
  uint salt[8], sum = 0;
  for (int i = 0; i < 8; ++i)
    salt[i] = in[i];
  for (int i = 0; i < n; ++i) {
    const uint x = in[8 + i];

    // Of the salt.
    State s;
    start(&s);
    add(&s, salt, len & 15); // the length

    /* its first word */
    const uint a = s.h[0];

    sum += a ^ x;
  }
  out[get_global_id(0)] = sum;
}

// Two runs; the loop surely has a round. A built-in function is left to the compiler.
kernel void keys(local uint *table, global uint *out, uint a, uint b) {
  uint sum = 0;
  table[get_local_id(0)] = a * get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < 4; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, a);
    sum ^= even[i] + rotate(a, 3u);

    uint c = table[0];
    uint other[8], rest[8];
    schedule(other, rest, b + c);
    sum += other[i] ^ rest[7 - i] ^ odd[i];
  }
  out[get_global_id(0)] = sum;
}

// The array keeps its values from before where there is no round.
kernel void filled_outside(global const uint *in, global uint *out, uint n) {
  n &= 7;
  uint filled[4] = {1, 2, 3, 4}, sum = 0;
  uint at = 0;
  while (at < n) {
    for (int i = 0; i < 3; ++i)
      filled[i] = n * i;
    sum += filled[at & 3];
    ++at;
  }
  out[get_global_id(0)] = sum + filled[0] + filled[3];
}

// -1 is above 0 where the counter is unsigned.
kernel void counts_far(global const uint *in, global uint *out, int n, uint key) {
  uint sum = 0;
  for (uint i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
    if (i > 100) break;
    uint pair[2];
    zero(pair);
    pair[i & 1] = i;
    sum += pair[1];
    sum += even[i & 7] ^ odd[1];
  }
  out[get_global_id(0)] = sum;
}

// 300 is 44 there.
kernel void counts_small(global uint *out, uchar n, uint key) {
  uint filled[4] = {1, 2, 3, 4}, sum = 0;
  for (uchar i = 300; i < n; ++i) {
    for (int j = 0; j < 3; ++j)
      filled[j] = key * j;
    sum += filled[i & 3];
  }
  out[get_global_id(0)] = sum + filled[1];
}

// The name means something else behind the loop.
kernel void twice_named(global const uint *in, global uint *out, uint key) {
  uint sum = 0, i = in[0] & 7;
  do {
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i] + odd[0];
  } while (++i < 8);
  for (int j = 0; j < 2; ++j) {
    uint even = in[j];
    sum ^= even;
  }
  out[get_global_id(0)] = sum;
}

// What is restrict is not what another pointer leads to. Constant memory is nobody's
// to write.
void fill(uint *to, global const uint *from, constant uint *table) {
  for (int i = 0; i < 8; ++i)
    to[i] = from[i] ^ table[i & 3];
}

kernel void told_apart(global const uint *restrict in, constant uint *table, global uint *restrict out, int n) {
  n &= 7;
  for (int i = n, j = 0; i > 0; i--) {
    uint w[8];
    fill(w, in, table);
    out[16 * get_global_id(0) + (i & 15)] = w[j++ & 7] + i;
  }
}

// Barriers are nothing to what is private.
kernel void waits(global const uint *in, global uint *out, local uint *shared, uint key, int n) {
  uint sum = 0, id = get_local_id(0);
  for (int i = 0; i < (n & 7); ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
    shared[id] = even[i] + odd[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += shared[id ^ (get_local_size(0) > 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

// None of these does the same in each round: it goes on from the round before, reads
// what a later statement writes, is written by another, is read before it, or is
// written through a pointer that comes from memory.
kernel void goes_on(global const uint *in, global uint *out, int n, uint key) {
  n &= 7;
  uint data[8] = {1, 2, 3}, even[8], odd[8], sum = 0;
  State s;
  start(&s);
  for (int i = 0; i < n; ++i)
    add(&s, data, 5);
  for (int i = 0; i < n; ++i) {
    State own = {{0}};
    add(&own, data, 5);
    sum += own.h[1];
    data[i & 7] = i;
  }
  for (int i = 0; i < 8; ++i)
    even[i] = odd[i] = 0;
  for (int i = 0; i < n; ++i) {
    sum += odd[i & 7];
    schedule(even, odd, key);
  }
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, key);
    even[i & 7] += i;
    sum ^= even[1];
  }
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, key);
    sum ^= even[1];
    schedule(odd, even, key);
  }
  uint *hidden[2] = {odd, data};
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, key);
    hidden[i & 1][3] = i;
    sum ^= odd[3];
  }
  for (int i = 0, x = key; i < n; ++i, ++x) {
    schedule(even, odd, x);
    sum ^= odd[3];
  }
  out[get_global_id(0)] = sum + s.h[0];
}

// Nor does any of these: Clang's AST has no conversion where the bits of a variable are
// read, or a lane twice, and a pointer may lead to what is written after it was read.
kernel void changes_unseen(global const uint *in, global uint *out, int n, uint key) {
  n &= 7;
  uint odd[8], sum = 0;
  float f = key & 7;
  uint2 v = (uint2)(key, 1);
  for (int i = 0; i < n; ++i) {
    uint even[8], rest[8];
    schedule(even, rest, as_uint(f));
    sum += even[i] + rest[1];
    f += 1;
  }
  for (int i = 0; i < n; ++i) {
    uint4 twice = v.yxyx;
    uint even[8], rest[8];
    schedule(even, rest, twice.z);
    sum += even[i] + rest[1];
    v.y += key;
  }
  for (int i = 0; i < 8; ++i)
    odd[i] = key + i;
  uint *leads[1] = {odd};
  for (int i = 0; i < n; ++i) {
    uint last = leads[0][key & 7];
    for (int j = 0; j < 8; ++j)
      odd[j] = last * 3 + j;
    sum += odd[i];
  }
  out[get_global_id(0)] = sum;
}

// A volatile access, and one that others see, stay in each round.
kernel void has_effects(global uint *out, int n, uint key) {
  n &= 7;
  volatile uint seen = key;
  uint even[8], odd[8];
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, seen);
    out[8 * get_global_id(0) + (i & 7)] = even[1] + odd[2];
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 8; ++j)
      out[8 * get_global_id(0) + j] = key * j;
  }
}
//--- after.cl
typedef struct {
  uint h[4];
  uint w[8];
  int len;
} State;

void start(State *s) {
  for (int i = 0; i < 4; ++i)
    s->h[i] = 0x9e3779b9u * (i + 1);
  for (int i = 0; i < 8; ++i)
    s->w[i] = 0;
  s->len = 0;
}

void add(State *s, const uint *data, int n) {
  for (int i = 0; i < n; ++i) {
    s->w[s->len & 7] ^= data[i & 7];
    s->h[i & 3] += rotate(s->w[s->len & 7], 5u) ^ s->h[(i + 1) & 3];
    s->len++;
  }
}

// A call without a loop is left to the compiler.
void zero(uint *to) {
  to[0] = to[1] = 0;
}

void schedule(uint *even, uint *odd, uint key) {
  for (int i = 0; i < 8; ++i) {
    even[i] = rotate(key, (uint)i);
    odd[i] = even[i] ^ key * 5u;
  }
}

// The hash of the salt is the same in each round. Where n is 0, it is not computed.
kernel void salted(global const uint *in, global uint *out, int n, int len) {
  n &= 7;
  uint salt[8], sum = 0;
  for (int i = 0; i < 8; ++i)
    salt[i] = in[i];
  if (0 < n) {
    State s;
    start(&s);
    add(&s, salt, len & 15); // the length

    /* its first word */
    const uint a = s.h[0];
  for (int i = 0; i < n; ++i) {
    const uint x = in[8 + i];

    // Of the salt.
    sum += a ^ x;
  }
  }
  out[get_global_id(0)] = sum;
}

// Two runs; the loop surely has a round. A built-in function is left to the compiler.
kernel void keys(local uint *table, global uint *out, uint a, uint b) {
  uint sum = 0;
  table[get_local_id(0)] = a * get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint even[8], odd[8];
  schedule(even, odd, a);
  uint c = table[0];
  uint other[8], rest[8];
  schedule(other, rest, b + c);
  for (uint i = 0; i < 4; ++i) {
    sum ^= even[i] + rotate(a, 3u);

    sum += other[i] ^ rest[7 - i] ^ odd[i];
  }
  out[get_global_id(0)] = sum;
}

// The array keeps its values from before where there is no round.
kernel void filled_outside(global const uint *in, global uint *out, uint n) {
  n &= 7;
  uint filled[4] = {1, 2, 3, 4}, sum = 0;
  uint at = 0;
  if (at < n) {
    for (int i = 0; i < 3; ++i)
      filled[i] = n * i;
  while (at < n) {
    sum += filled[at & 3];
    ++at;
  }
  }
  out[get_global_id(0)] = sum + filled[0] + filled[3];
}

// -1 is above 0 where the counter is unsigned.
kernel void counts_far(global const uint *in, global uint *out, int n, uint key) {
  uint sum = 0;
  if ((uint)0 < n) {
    uint even[8], odd[8];
    schedule(even, odd, key);
  for (uint i = 0; i < n; ++i) {
    if (i > 100) break;
    uint pair[2];
    zero(pair);
    pair[i & 1] = i;
    sum += pair[1];
    sum += even[i & 7] ^ odd[1];
  }
  }
  out[get_global_id(0)] = sum;
}

// 300 is 44 there.
kernel void counts_small(global uint *out, uchar n, uint key) {
  uint filled[4] = {1, 2, 3, 4}, sum = 0;
  if ((uchar)300 < n) {
    for (int j = 0; j < 3; ++j)
      filled[j] = key * j;
  for (uchar i = 300; i < n; ++i) {
    sum += filled[i & 3];
  }
  }
  out[get_global_id(0)] = sum + filled[1];
}

// The name means something else behind the loop.
kernel void twice_named(global const uint *in, global uint *out, uint key) {
  uint sum = 0, i = in[0] & 7;
  {
    uint even[8], odd[8];
    schedule(even, odd, key);
  do {
    sum += even[i] + odd[0];
  } while (++i < 8);
  }
  for (int j = 0; j < 2; ++j) {
    uint even = in[j];
    sum ^= even;
  }
  out[get_global_id(0)] = sum;
}

// What is restrict is not what another pointer leads to. Constant memory is nobody's
// to write.
void fill(uint *to, global const uint *from, constant uint *table) {
  for (int i = 0; i < 8; ++i)
    to[i] = from[i] ^ table[i & 3];
}

kernel void told_apart(global const uint *restrict in, constant uint *table, global uint *restrict out, int n) {
  n &= 7;
  if (n > 0) {
    uint w[8];
    fill(w, in, table);
  for (int i = n, j = 0; i > 0; i--) {
    out[16 * get_global_id(0) + (i & 15)] = w[j++ & 7] + i;
  }
  }
}

// Barriers are nothing to what is private.
kernel void waits(global const uint *in, global uint *out, local uint *shared, uint key, int n) {
  uint sum = 0, id = get_local_id(0);
  if (0 < (n & 7)) {
    uint even[8], odd[8];
    schedule(even, odd, key);
  for (int i = 0; i < (n & 7); ++i) {
    shared[id] = even[i] + odd[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += shared[id ^ (get_local_size(0) > 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  }
  out[get_global_id(0)] = sum;
}

// None of these does the same in each round: it goes on from the round before, reads
// what a later statement writes, is written by another, is read before it, or is
// written through a pointer that comes from memory.
kernel void goes_on(global const uint *in, global uint *out, int n, uint key) {
  n &= 7;
  uint data[8] = {1, 2, 3}, even[8], odd[8], sum = 0;
  State s;
  start(&s);
  for (int i = 0; i < n; ++i)
    add(&s, data, 5);
  for (int i = 0; i < n; ++i) {
    State own = {{0}};
    add(&own, data, 5);
    sum += own.h[1];
    data[i & 7] = i;
  }
  for (int i = 0; i < 8; ++i)
    even[i] = odd[i] = 0;
  for (int i = 0; i < n; ++i) {
    sum += odd[i & 7];
    schedule(even, odd, key);
  }
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, key);
    even[i & 7] += i;
    sum ^= even[1];
  }
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, key);
    sum ^= even[1];
    schedule(odd, even, key);
  }
  uint *hidden[2] = {odd, data};
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, key);
    hidden[i & 1][3] = i;
    sum ^= odd[3];
  }
  for (int i = 0, x = key; i < n; ++i, ++x) {
    schedule(even, odd, x);
    sum ^= odd[3];
  }
  out[get_global_id(0)] = sum + s.h[0];
}

// Nor does any of these: Clang's AST has no conversion where the bits of a variable are
// read, or a lane twice, and a pointer may lead to what is written after it was read.
kernel void changes_unseen(global const uint *in, global uint *out, int n, uint key) {
  n &= 7;
  uint odd[8], sum = 0;
  float f = key & 7;
  uint2 v = (uint2)(key, 1);
  for (int i = 0; i < n; ++i) {
    uint even[8], rest[8];
    schedule(even, rest, as_uint(f));
    sum += even[i] + rest[1];
    f += 1;
  }
  for (int i = 0; i < n; ++i) {
    uint4 twice = v.yxyx;
    uint even[8], rest[8];
    schedule(even, rest, twice.z);
    sum += even[i] + rest[1];
    v.y += key;
  }
  for (int i = 0; i < 8; ++i)
    odd[i] = key + i;
  uint *leads[1] = {odd};
  for (int i = 0; i < n; ++i) {
    uint last = leads[0][key & 7];
    for (int j = 0; j < 8; ++j)
      odd[j] = last * 3 + j;
    sum += odd[i];
  }
  out[get_global_id(0)] = sum;
}

// A volatile access, and one that others see, stay in each round.
kernel void has_effects(global uint *out, int n, uint key) {
  n &= 7;
  volatile uint seen = key;
  uint even[8], odd[8];
  for (int i = 0; i < n; ++i) {
    schedule(even, odd, seen);
    out[8 * get_global_id(0) + (i & 7)] = even[1] + odd[2];
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 8; ++j)
      out[8 * get_global_id(0) + j] = key * j;
  }
}
//--- copies.cl
typedef struct {
  uint h[4];
  uint w[8];
  int len;
} State;

void start(State *s) {
  for (int i = 0; i < 4; ++i)
    s->h[i] = 0x9e3779b9u * (i + 1);
  for (int i = 0; i < 8; ++i)
    s->w[i] = 0;
  s->len = 0;
}

void add(State *s, const uint *data, int n) {
  for (int i = 0; i < n; ++i) {
    s->w[s->len & 7] ^= data[i & 7];
    s->h[i & 3] += rotate(s->w[s->len & 7], 5u) ^ s->h[(i + 1) & 3];
    s->len++;
  }
}

// A call without a loop is left to the compiler.
void zero(uint *to) {
  to[0] = to[1] = 0;
}

void schedule(uint *even, uint *odd, uint key) {
  for (int i = 0; i < 8; ++i) {
    even[i] = rotate(key, (uint)i);
    odd[i] = even[i] ^ key * 5u;
  }
}

// What was hashed up to where the rounds differ.
kernel void prefix(global const uint *in, global uint *out, int n) {
  n &= 7;
  uint salt[8], sum = 0;
  for (int i = 0; i < 8; ++i)
    salt[i] = in[i] + 1;
  for (int i = 0; i < n; ++i) {
    uint own[8];
    for (int j = 0; j < 8; ++j)
      own[j] = in[j] ^ i;

    State s;
    start(&s);
    add(&s, salt, 7); // the salt
    const uint len = s.len;
    add(&s, own, 3);

    sum += s.h[0] + len;
  }
  out[get_global_id(0)] = sum;
}

// A pointer into the original is none into the copy; an array is no structure; and
// what is read in between is not what the run leaves.
typedef struct {
  uint w[8];
  uint *next;
} Reader;

void open(Reader *r, uint key) {
  for (int i = 0; i < 8; ++i)
    r->w[i] = key * i;
  r->next = r->w;
}

kernel void no_prefix(global const uint *in, global uint *out, int n, uint key) {
  n &= 7;
  uint data[8] = {5, 6}, sum = 0;
  for (int i = 0; i < n; ++i) {
    Reader r;
    open(&r, key);
    r.next[i & 7] += i;
    sum += r.w[0];
  }
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
    even[i & 7] += i;
    sum += even[0] + odd[1];
  }
  for (int i = 0; i < n; ++i) {
    State s;
    s.len = i;
    start(&s);
    add(&s, data, 2);
    s.h[i & 3] = 3;
    sum += s.h[1];
  }
  out[get_global_id(0)] = sum;
}
//--- copies-after.cl
typedef struct {
  uint h[4];
  uint w[8];
  int len;
} State;

void start(State *s) {
  for (int i = 0; i < 4; ++i)
    s->h[i] = 0x9e3779b9u * (i + 1);
  for (int i = 0; i < 8; ++i)
    s->w[i] = 0;
  s->len = 0;
}

void add(State *s, const uint *data, int n) {
  for (int i = 0; i < n; ++i) {
    s->w[s->len & 7] ^= data[i & 7];
    s->h[i & 3] += rotate(s->w[s->len & 7], 5u) ^ s->h[(i + 1) & 3];
    s->len++;
  }
}

// A call without a loop is left to the compiler.
void zero(uint *to) {
  to[0] = to[1] = 0;
}

void schedule(uint *even, uint *odd, uint key) {
  for (int i = 0; i < 8; ++i) {
    even[i] = rotate(key, (uint)i);
    odd[i] = even[i] ^ key * 5u;
  }
}

// What was hashed up to where the rounds differ.
kernel void prefix(global const uint *in, global uint *out, int n) {
  n &= 7;
  uint salt[8], sum = 0;
  for (int i = 0; i < 8; ++i)
    salt[i] = in[i] + 1;
  if (0 < n) {
    State s_before;
    start(&s_before);
    add(&s_before, salt, 7); // the salt
    const uint len = s_before.len;
  for (int i = 0; i < n; ++i) {
    uint own[8];
    for (int j = 0; j < 8; ++j)
      own[j] = in[j] ^ i;

    State s = s_before;
    add(&s, own, 3);

    sum += s.h[0] + len;
  }
  }
  out[get_global_id(0)] = sum;
}

// A pointer into the original is none into the copy; an array is no structure; and
// what is read in between is not what the run leaves.
typedef struct {
  uint w[8];
  uint *next;
} Reader;

void open(Reader *r, uint key) {
  for (int i = 0; i < 8; ++i)
    r->w[i] = key * i;
  r->next = r->w;
}

kernel void no_prefix(global const uint *in, global uint *out, int n, uint key) {
  n &= 7;
  uint data[8] = {5, 6}, sum = 0;
  for (int i = 0; i < n; ++i) {
    Reader r;
    open(&r, key);
    r.next[i & 7] += i;
    sum += r.w[0];
  }
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
    even[i & 7] += i;
    sum += even[0] + odd[1];
  }
  for (int i = 0; i < n; ++i) {
    State s;
    s.len = i;
    start(&s);
    add(&s, data, 2);
    s.h[i & 3] = 3;
    sum += s.h[1];
  }
  out[get_global_id(0)] = sum;
}
//--- declines.cl
typedef struct {
  uint h[4];
  uint w[8];
  int len;
} State;

void start(State *s) {
  for (int i = 0; i < 4; ++i)
    s->h[i] = 0x9e3779b9u * (i + 1);
  for (int i = 0; i < 8; ++i)
    s->w[i] = 0;
  s->len = 0;
}

void add(State *s, const uint *data, int n) {
  for (int i = 0; i < n; ++i) {
    s->w[s->len & 7] ^= data[i & 7];
    s->h[i & 3] += rotate(s->w[s->len & 7], 5u) ^ s->h[(i + 1) & 3];
    s->len++;
  }
}

// A call without a loop is left to the compiler.
void zero(uint *to) {
  to[0] = to[1] = 0;
}

void schedule(uint *even, uint *odd, uint key) {
  for (int i = 0; i < 8; ++i) {
    even[i] = rotate(key, (uint)i);
    odd[i] = even[i] ^ key * 5u;
  }
}

#define SCHEDULE schedule(even, odd, key);
#define LOOP for (int i = 0; i < n; ++i)

kernel void leaves(global const uint *in, global uint *out, int n, uint key) {
  uint sum = 0;
  // CHECK: declined hoist-invariant: a round, or the loop, may end before the statements that are alike in each, or a label stands in it: 'break'
  for (int i = 0; i < n; ++i) {
    if (in[i] == 7)
      break;
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: a round, or the loop, may end before the statements that are alike in each, or a label stands in it: 'continue'
  for (int i = 0; i < n; ++i) {
    switch (in[i]) {
    case 3:
      continue;
    default:
      break;
    }
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: a round, or the loop, may end before the statements that are alike in each, or a label stands in it: 'inside'
  if (n > 5)
    goto inside;
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i & 7] + odd[i & 7];
  inside:
    ++sum;
  }
  out[get_global_id(0)] = sum;
}

kernel void ordered(global const uint *in, global uint *out, local uint *shared, int n) {
  uint sum = 0;
  // CHECK: declined hoist-invariant: what is alike in each round reads memory that other work-items may write, and the loop may wait for them: 'barrier(CLK_LOCAL_MEM_FENCE)'
  for (int i = 0; i < n; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint even[8], odd[8];
    schedule(even, odd, shared[0]);
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: what is alike in each round reads memory that other work-items may write, and the loop may wait for them
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, in[0]);
    sum += even[i & 7] + odd[i & 7];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

kernel void overwrites(global const uint *in, global uint *out, global uint *restrict flags, int n) {
  uint sum = 0;
  // CHECK: declined hoist-invariant: what is alike in each round reads memory that the loop may write: 'out[i] = even[i & 7]'
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, in[3]);
    out[i] = even[i & 7];
  }
  // An atomic operation may tell others to write.
  // CHECK: declined hoist-invariant: what is alike in each round reads memory that the loop may write: 'atomic_inc(flags)'
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, in[3]);
    sum += even[i & 7];
    atomic_inc(flags);
  }
  out[get_global_id(0)] = sum;
}

kernel void written_so(global const uint *in, global uint *out, int n, uint key) {
  uint sum = 0;
  // CHECK: declined hoist-invariant: what is alike in each round comes from a macro, or a directive stands in it: the macro 'SCHEDULE'
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    SCHEDULE
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: the loop comes from a macro: the macro 'LOOP'
  LOOP {
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: a name of what is alike in each round means another thing in the loop
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
#ifdef DEBUG
    even[0] = i;
#endif
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: a pragma in the loop says how its arithmetic is rounded
  for (int i = 0; i < n; ++i) {
#pragma OPENCL FP_CONTRACT OFF
    float sums[8];
    for (int j = 0; j < 8; ++j)
      sums[j] = (float)key * n + j;
    sum += (uint)sums[i & 7];
  }
  // CHECK: declined hoist-invariant: before the loop stands what may be about it, or the loop is no statement of a block
#pragma unroll 2
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: before the loop stands what may be about it, or the loop is no statement of a block: '#pragma unroll 8'
#ifdef MANY
#pragma unroll 8
#endif
  for (int i = 0; i < n; ++i) {
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: before the loop stands what may be about it, or the loop is no statement of a block
  if (n > 3)
    for (int i = 0; i < n; ++i) {
      uint even[8], odd[8];
      schedule(even, odd, key);
      sum += even[i & 7] + odd[i & 7];
    }
  out[get_global_id(0)] = sum;
}

uint odd(uint x) { return x & 1; }

kernel void named(global const uint *in, global uint *out, int n, uint key) {
  uint sum = 0, even[8] = {0};
  // CHECK: declined hoist-invariant: a name of what is alike in each round means another thing in the loop, or outside of all functions: 'even'
  for (int i = 0; i < n; ++i) {
    sum += even[i & 7];
    uint even[8], rest[8];
    schedule(even, rest, key);
    sum += even[i & 7] + rest[i & 7];
  }
  // CHECK: declined hoist-invariant: a name of what is alike in each round means another thing in the loop, or outside of all functions: 'odd'
  for (int i = 0; i < n; ++i) {
    sum += odd(i);
    uint even[8], odd[8];
    schedule(even, odd, key);
    sum += even[i & 7] + odd[i & 7];
  }
  // CHECK: declined hoist-invariant: a name of what is alike in each round means another thing in the loop, or outside of all functions: 'rest'
  for (int i = 0, rest = 0; i < n; ++i) {
    uint more[8], rest[8];
    schedule(more, rest, key);
    sum += more[i & 7] + rest[i & 7];
  }
  out[get_global_id(0)] = sum;
}

kernel void asked(global const uint *in, global uint *out, int n, uint key) {
  uint sum = 0;
  int i = 0;
  // CHECK: declined hoist-invariant: whether there is a first round can't be asked in front of the loop: 'i++ < n'
  while (i++ < n) {
    uint even[8], rest[8];
    schedule(even, rest, key);
    sum += even[i & 7] + rest[i & 7];
  }
  // CHECK: declined hoist-invariant: whether there is a first round can't be asked in front of the loop: 'j < n && k > 0'
  for (int j = 0, k = n; j < n && k > 0; ++j, --k) {
    uint even[8], rest[8];
    schedule(even, rest, key);
    sum += even[j & 7] + rest[k & 7];
  }
  // CHECK: declined hoist-invariant: whether there is a first round can't be asked in front of the loop: 'i < n'
  for (i = 0; i < n; ++i) {
    uint even[8], rest[8];
    schedule(even, rest, key);
    sum += even[i & 7] + rest[i & 7];
  }
  sum += i;
  // CHECK: declined hoist-invariant: whether there is a first round can't be asked in front of the loop: 'j < n'
  for (int j = 0, k = ++i; j < n; ++j) {
    uint even[8], rest[8];
    schedule(even, rest, key);
    sum += even[j & 7] + rest[k & 7];
  }
  out[get_global_id(0)] = sum + i;
}
