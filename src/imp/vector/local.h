// Between files of imp/vector.
#ifndef DAGAZ_IMP_VECTOR_LOCAL_H
#define DAGAZ_IMP_VECTOR_LOCAL_H

#include "imp/common/imp.h"

typedef struct {
  ImpStm *load;
  const ImpStm *sum;  // the loop around it
  int panel;          // the number of the panel that it is to read
} ProductColumn;

// The loops of a product, and the loads that are to read copies.  Rows and strips: one of them is
// the outermost; an iteration over rows does several at once.
typedef struct {
  ImpStm *outer, *strips, *rows, *sum;
  LIST(ProductColumn) columns;
  int panels;  // different ones among the columns
  LIST(ImpStm *) tile;  // loads that read rows of `rows` with a stride, all of one type
} Product;

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpStrides strides;
} ProductSearch;

// ---- product.c
bool imp_product_found(ProductSearch *s, ImpStm *outer, Product *out);
// Addresses over a counter, that of the loop of sums and variables bound outside, NULL where they
// need others: of a column over the counter of strips, of a row over that of rows.
const ImpExp *imp_product_column(const ProductSearch *s, const Product *x, const ProductColumn *c);
const ImpExp *imp_product_row(const ProductSearch *s, const Product *x, const ImpExp *at);

#endif
