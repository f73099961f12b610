typedef ushort8 wide;
inline wide twice(wide w) { return w + w; }
