static int NAME(int n) {
  for (int i = 0; i < 8; ++i)
    n += i * n;
  return n;
}
