// Hand tracking (hand.c): types, and the functions that are differentiated.
#ifndef HAND_H
#define HAND_H
enum { FINGERS = 5, ANGLES = 26, BONES = 1 + 4 * FINGERS };

// element i, j is at[i * columns + j]
typedef struct {
  int rows, columns;
  double *at;
} Matrix;

typedef struct {
  int corner[3];
} Face;

// theta: rotation and place of the hand, four angles for each finger.  rest, inverse: for each bone where
// it is to its parent, and the inverse of where it is.  mesh: 4 x vertices.  weight: bones x vertices.
// measured: 3 x count.  error: count x 3.
void hand(const double *theta, int bones, const char **names, const int *parent, Matrix *rest,
          Matrix *inverse, Matrix *mesh, Matrix *weight, const Face *faces, int mirrored, int count,
          const int *vertex, Matrix *measured, double *error);

// The same with points on faces, us: count x 2.
void hand_faces(const double *theta, const double *us, int bones, const char **names, const int *parent,
                Matrix *rest, Matrix *inverse, Matrix *mesh, Matrix *weight, const Face *faces, int mirrored,
                int count, const int *face, Matrix *measured, double *error);
#endif
