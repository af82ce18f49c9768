// What a C++ header made with --cpp begins with: contexts, errors, arrays and the base of all other
// values, as objects that free themselves.  Needs C++17.  NAME is the namespace.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace NAME {

// A view of elements that somebody else owns: std::span where there is one.
#ifdef __cpp_lib_span
template <class T> using span = std::span<T>;
#else
template <class T> class span {
  T *data_ = nullptr;
  std::size_t size_ = 0;

 public:
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <class C, class = std::enable_if_t<std::is_convertible_v<
                         std::remove_pointer_t<decltype(std::data(std::declval<C &>()))> (*)[],
                         T (*)[]>>>
  constexpr span(C &&values) noexcept : data_(std::data(values)), size_(std::size(values)) {}
  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
};
#endif

// A number of 16 bits, in the bits of IEEE 754's binary16.
struct f16 {
  std::uint16_t bits = 0;
};
static_assert(sizeof(f16) == 2, "arrays of f16 have no gaps");

// What a failing call throws.  program_failed: an index, an assertion, a division; its text has the
// place in the program.
class error : public std::runtime_error {
  int code_;

 public:
  error(int code, const std::string &text) : std::runtime_error(text), code_(code) {}
  int code() const noexcept { return code_; }
  bool program_failed() const noexcept { return code_ == FUTHARK_PROGRAM_ERROR; }
  bool out_of_memory() const noexcept { return code_ == FUTHARK_OUT_OF_MEMORY; }
};

struct options {
  std::int64_t memory_limit = 0;  // bytes for arrays; 0: none
  int num_threads = 0;            // 0: the program's own choice
  bool logging = false, profiling = false, debugging = false;
};

// Where a program runs.  Copies are the same context, which ends with its last copy and value.
class context {
  std::shared_ptr<futhark_context> ctx_;

 public:
  explicit context(const options &o = options()) {
    futhark_context_config *cfg = futhark_context_config_new();
    if (cfg == nullptr) throw std::bad_alloc();
    if (o.memory_limit > 0) futhark_context_config_set_memory_limit(cfg, o.memory_limit);
    if (o.num_threads > 0) futhark_context_config_set_num_threads(cfg, o.num_threads);
    futhark_context_config_set_logging(cfg, o.logging);
    futhark_context_config_set_profiling(cfg, o.profiling);
    futhark_context_config_set_debugging(cfg, o.debugging);
    futhark_context *ctx = futhark_context_new(cfg);
    if (ctx == nullptr) {
      futhark_context_config_free(cfg);
      throw std::bad_alloc();
    }
    ctx_ = std::shared_ptr<futhark_context>(ctx, [cfg](futhark_context *c) {
      futhark_context_free(c);
      futhark_context_config_free(cfg);
    });
    std::string text = take_error();
    if (!text.empty()) throw error(FUTHARK_PROGRAM_ERROR, text);
  }
  futhark_context *get() const noexcept { return ctx_.get(); }
  void check(int code) const {
    if (code != FUTHARK_SUCCESS) throw error(code, take_error());
  }
  // Of a function that gives no code.
  template <class T> T *made(T *value) const {
    if (value == nullptr) throw error(FUTHARK_OUT_OF_MEMORY, take_error());
    return value;
  }
  void sync() const { check(futhark_context_sync(get())); }
  std::int64_t peak_bytes() const { return futhark_context_peak_bytes(get()); }
  std::string report() const { return text(futhark_context_report(get())); }

 private:
  static std::string text(char *from) {
    std::string copy = from != nullptr ? from : "";
    std::free(from);
    return copy;
  }
  std::string take_error() const { return text(futhark_context_get_error(get())); }
};

// The base of all values: one reference to a value of the library, freed at its end.  Values move
// and are not copied; a moved-from value may only be destroyed or assigned to.
template <class Raw, int (*Free)(futhark_context *, Raw *)> class handle {
 protected:
  context ctx_;
  Raw *raw_;

 public:
  handle(const context &ctx, Raw *raw) : ctx_(ctx), raw_(raw) {}
  handle(handle &&other) noexcept : ctx_(other.ctx_), raw_(other.release()) {}
  handle &operator=(handle &&other) noexcept {
    if (this != &other) {
      reset();
      ctx_ = other.ctx_;
      raw_ = other.release();
    }
    return *this;
  }
  ~handle() { reset(); }
  Raw *get() const noexcept { return raw_; }
  Raw *release() noexcept { return std::exchange(raw_, nullptr); }
  const context &ctx() const noexcept { return ctx_; }

 private:
  void reset() noexcept {
    if (raw_ != nullptr) Free(ctx_.get(), release());
  }
};

// The C functions of arrays of T in R dimensions; below, one specialisation for each array type.
template <class T, int R> struct array_functions;

// An array, row-major.
template <class T, int R>
class array : public handle<typename array_functions<T, R>::raw, array_functions<T, R>::free> {
  using api = array_functions<T, R>;
  using base = handle<typename api::raw, api::free>;
  using bytes = typename api::element;

  static typename api::raw *make(const context &ctx, span<const T> values,
                                 const std::array<std::int64_t, R> &shape) {
    std::size_t count = 1;
    for (std::int64_t n : shape) count *= static_cast<std::size_t>(n);
    if (count != values.size()) throw std::invalid_argument("array: the shape is not the size");
    return ctx.made(
        api::make(ctx.get(), reinterpret_cast<const bytes *>(values.data()), shape.data()));
  }

 public:
  using value_type = T;
  array(const context &ctx, typename api::raw *raw) : base(ctx, raw) {}
  // A copy of the values.
  array(const context &ctx, span<const T> values, const std::array<std::int64_t, R> &shape)
      : base(ctx, make(ctx, values, shape)) {}
  template <int N = R, class = std::enable_if_t<N == 1>>
  array(const context &ctx, span<const T> values)
      : array(ctx, values, {static_cast<std::int64_t>(values.size())}) {}
  template <int N = R, class = std::enable_if_t<N == 1>>
  array(const context &ctx, std::initializer_list<T> values)
      : array(ctx, span<const T>(values.begin(), values.size())) {}

  std::array<std::int64_t, R> shape() const {
    std::array<std::int64_t, R> sizes;
    const std::int64_t *from = api::shape(this->ctx_.get(), this->raw_);
    for (int d = 0; d < R; d++) sizes[static_cast<std::size_t>(d)] = from[d];
    return sizes;
  }
  std::size_t size() const {
    std::size_t count = 1;
    for (std::int64_t n : shape()) count *= static_cast<std::size_t>(n);
    return count;
  }
  // The elements where they are: valid as long as the array, not to be changed.
  span<const T> view() const {
    this->ctx_.sync();
    const void *at = api::values_raw(this->ctx_.get(), this->raw_);
    return {static_cast<const T *>(at), size()};
  }
  void copy_to(span<T> out) const {
    if (out.size() != size()) throw std::invalid_argument("array: the sizes differ");
    this->ctx_.check(
        api::values(this->ctx_.get(), this->raw_, reinterpret_cast<bytes *>(out.data())));
    this->ctx_.sync();
  }
  std::vector<T> to_vector() const {
    span<const T> all = view();
    return std::vector<T>(all.begin(), all.end());
  }
  // Element (i, j, ..).
  template <class... I> T operator()(I... i) const {
    static_assert(sizeof...(I) == R, "one index for each dimension");
    const std::array<std::int64_t, R> at{static_cast<std::int64_t>(i)...};
    bytes out{};
    this->ctx_.check(api::index(this->ctx_.get(), &out, this->raw_, at.data()));
    return T{out};
  }
};
}  // namespace NAME
