// The C++ header of everything.fut: values of every kind, exceptions, ends of values.
#include "everything.hpp"
#include <cstdio>
#include <thread>

using namespace everything;
static int failures = 0;
#define EXPECT(condition) \
  do if (!(condition)) std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), failures++; \
  while (0)

static void arrays(const context &ctx) {
  std::vector<double> xs = {3, 4};
  array<double, 1> a(ctx, xs);
  auto [value, grad] = value_and_grad(ctx, a);
  EXPECT(value == 25 && grad.to_vector() == std::vector<double>({6, 8}));
  EXPECT(grad(1) == 8 && grad.size() == 2 && grad.shape()[0] == 2);
  double sum = 0, copy[2];
  for (double g : grad.view()) sum += g;
  grad.copy_to(copy);
  EXPECT(sum == 14 && copy[0] == 6);
  array<double, 1> moved = std::move(a);
  EXPECT(a.get() == nullptr && moved(0) == 3);
  auto changed = set_(ctx, std::move(moved), 1, 7);
  EXPECT(changed.to_vector() == std::vector<double>({3, 7}));
  changed = array<double, 1>(ctx, {1, 2, 3});
  EXPECT(changed.size() == 3);
  auto cubes = cube(ctx, 4);
  EXPECT(cubes.shape() == (std::array<std::int64_t, 3>{2, 3, 4}) && cubes(1, 2, 3) == 123);
  f16 halves[] = {{0x3c00}, {0x4000}};  // 1, 2
  auto twice = scale(ctx, f16{0x4000}, array<f16, 2>(ctx, halves, {1, 2}));
  EXPECT(twice(0, 1).bits == 0x4400);
  EXPECT(flags(ctx, 3).to_vector() == std::vector<bool>({true, false, true}));
  EXPECT(flags(ctx, 0).to_vector().empty());
}

static void records(const context &ctx) {
  auto p = point::make(ctx, 3, 4);
  EXPECT(norm(ctx, p) == 5 && p.x() == 3);
  EXPECT(point_(ctx, 1).y() == 2);
  auto bytes = p.store();
  EXPECT(point::restore(ctx, bytes).y() == 4);
  auto r = rec_x_i32_y_arr1d_f64::make(ctx, 5, array<double, 1>(ctx, {1, 2}));
  auto m = mirror(ctx, r);
  EXPECT(m.x() == -5 && m.y()(0) == 2);
  auto d = double_(ctx, tzq::make(ctx, 21, false));
  EXPECT(d.class_() == 42 && d.tzq_());
  auto [x, rest] = main_(ctx, 4, 200);
  EXPECT(x == 7 && rest._0() == 200 && rest._1());
  auto [u, positive] = rest.tuple();
  EXPECT(u == 200 && positive);
}

static void sums(const context &ctx) {
  auto s = grow(ctx, shape_::make_dot(ctx, point::make(ctx, 1, 2)));
  EXPECT(s.variant() == shape_::kind::row);
  auto [row, n] = s.as_row();
  EXPECT(n == 2 && row(1) == 2);
  EXPECT(shape_::make_none(ctx).variant() == shape_::kind::none);
  auto [empty, zero] = grow(ctx, shape_::make_none(ctx)).as_row();
  EXPECT(empty.size() == 0 && zero == 0);
  try {
    s.as_dot();
    std::puts("a sum is taken for another"), failures++;
  } catch (const error &) {
  }
}

static void rows(const context &ctx) {
  auto points = arr1d_point::zip(ctx, array<double, 1>(ctx, {1, 2}), array<double, 1>(ctx, {3, 4}));
  EXPECT(points.shape()[0] == 2 && points.at(1).y() == 4 && points.x()(0) == 1);
  points.set(point::make(ctx, 8, 9), 0);
  EXPECT(points.x()(0) == 8);
  auto tagged = pairs(ctx, array<std::int32_t, 1>(ctx, {7, 8, 9}), points.at(0));
  EXPECT(tagged.at(2)._0() == 9 && tagged.at(2)._1().y() == 9);
  std::vector<point> both;
  for (int i = 0; i < 2; i++) both.push_back(point::make(ctx, i, i));
  EXPECT(arr1d_point::make(ctx, both, {2}).at(1).x() == 1);
  auto table = grid(ctx, 3);
  EXPECT(table.shape()[1] == 3 && table.at(1, 2).y() == 2);
}

static void errors(const context &ctx) {
  try {
    third(ctx, array<float, 1>(ctx, {1, 2}));
    std::puts("an index out of bounds passes"), failures++;
  } catch (const error &e) {
    EXPECT(e.program_failed() && std::string(e.what()).find("everything.fut:") != std::string::npos);
  }
  try {
    array<double, 2>(ctx, std::vector<double>{1, 2, 3}, {2, 2});
    std::puts("a wrong shape passes"), failures++;
  } catch (const std::invalid_argument &) {
  }
  options small;
  small.memory_limit = 1000;
  context limited(small);
  try {
    cube(limited, 1000);
    std::puts("a memory limit is not kept"), failures++;
  } catch (const error &e) {
    EXPECT(e.out_of_memory());
  }
}

// A value keeps its context; a context of its own for each thread needs no lock.
static void lives() {
  array<double, 1> kept = [] { return array<double, 1>(context(), {1, 2}); }();
  EXPECT(kept.to_vector()[1] == 2);
  double sums[4] = {0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([t, &sums] {
      context own;
      for (int i = 0; i < 100; i++)
        sums[t] += std::get<0>(value_and_grad(own, array<double, 1>(own, {double(t), 1})));
    });
  for (auto &thread : threads) thread.join();
  for (int t = 0; t < 4; t++) EXPECT(sums[t] == 100 * (t * t + 1));
}

int main() {
  context ctx;
  arrays(ctx);
  records(ctx);
  sums(ctx);
  rows(ctx);
  errors(ctx);
  lives();
  EXPECT(ctx.peak_bytes() > 0);
  return failures != 0;
}
