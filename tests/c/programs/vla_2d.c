// conv(out)/(img ker) | img[h] ker[3] out[h] | h=4 w=5 |
// Two-dimensional parameters of variable size, VLA, clamped borders, unsigned counters.
void conv(int h, int w, double img[h][w], const double ker[3][3], double out[h][w]) {
  double tmp[h + 2][w + 2];
  for (int i = 0; i < h + 2; i++) for (int j = 0; j < w + 2; j++) {
    int a = i - 1 < 0 ? 0 : i - 1 >= h ? h - 1 : i - 1, b = j - 1 < 0 ? 0 : j - 1 >= w ? w - 1 : j - 1;
    tmp[i][j] = img[a][b]*img[a][b];
  }
  for (unsigned i = 0; i < (unsigned)h; i++) for (unsigned j = 0; j < (unsigned)w; j++) {
    double s = 0;
    for (unsigned k = 3; k-- > 0;) for (unsigned l = 0; l < 3u; ++l) s += ker[k][l]*tmp[i + k][j + l];
    out[i][j] = s > 0 ? s : 0.1*s;
  }
}
