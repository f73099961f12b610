// Maps sixteen pixels a work-item through the table of an equalised histogram.
// clrewrite: launch global=4194304 local=256 in=64M out=64M table=256
// small: launch global=64 local=16 in=1K out=1K table=256
kernel void equalise(global const uchar *restrict in,
                     global uchar *restrict out,
                     global const uchar *restrict table) {
  int g = get_global_id(0);
  uchar16 p = vload16(g, in);
  uchar16 q = (uchar16)(table[p.s0], table[p.s1], table[p.s2], table[p.s3],
                        table[p.s4], table[p.s5], table[p.s6], table[p.s7],
                        table[p.s8], table[p.s9], table[p.sa], table[p.sb],
                        table[p.sc], table[p.sd], table[p.se], table[p.sf]);
  vstore16(q, g, out);
}
