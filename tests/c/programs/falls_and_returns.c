// sw(sw)/(x) | | k=2 |
// Cases that fall through, and returns, continue and break among them.
double sw(int k, double x) {
  double r = 1;
  for (int i = 0; i < 3; i++) {
    switch (k + i) {
      case 3: r *= x + 2;
      case 2: r *= x + 1;  /* falls */
      case 1: r *= x*x; break;
      case 4: if (x < -5) return r; r += x; continue;
      case 0: r = 0;
      case 7: return r*x;
      default: return x;
    }
    r += 0.5*x;
  }
  return r*r;
}
