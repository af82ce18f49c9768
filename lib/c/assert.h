// Assertions: read again at each #include, as NDEBUG may have changed.
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)(0))
#else
#define assert(e) ((e) ? (void)(0) : __assert_fail(#e, __FILE__, __LINE__, __func__))
_Noreturn void __assert_fail(const char *text, const char *file, unsigned line, const char *in);
#endif
