// run: tangent --stdout --head "f"
// status 3
struct node { double value; struct node *next; };
double f(struct node *n) {  //! c-points-to follows pointers
  double s = 0;
  for (; n; n = n->next) s += n->value;
  return s;
}
