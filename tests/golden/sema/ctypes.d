/* What attributes of C and its words for other types make: sizes, where members lie, and
 * whether there is a sign. */
typedef int qi_t __attribute__((mode(QI)));
typedef unsigned int uqi_t __attribute__((mode(__byte__)));
typedef int hi_t __attribute__((mode(HI)));
typedef unsigned int uhi_t __attribute__((mode(HI)));
typedef int si_t __attribute__((__mode__(__SI__)));
typedef unsigned int usi_t __attribute__((mode(SI)));
typedef int di_t __attribute__((mode(DI)));
typedef unsigned int udi_t __attribute__((mode(word)));
typedef int ptr_t __attribute__((mode(pointer)));
typedef int uw_t __attribute__((mode(unwind_word)));
typedef float sf_t __attribute__((mode(SF)));
typedef float df_t __attribute__((mode(DF)));
typedef float xf_t __attribute__((mode(XF)));
typedef int ti_t __attribute__((mode(TI)));
typedef int v4_t __attribute__((vector_size(16)));
typedef char v8_t __attribute__((vector_size(8)));
struct packed { char c; int i; long l; } __attribute__((packed));
struct aligned { char c; int i __attribute__((aligned(16))); char d; };
struct whole { char c; } __attribute__((aligned(64)));
struct strict { char c; } __attribute__((aligned));
struct as_long { char c; _Alignas(long) char d; };
struct both { char c; int i __attribute__((aligned(2), aligned(8))); } __attribute__((packed));
struct vectors { char c; v4_t v; char d; v8_t w; };
struct wide { char c; __int128 i; unsigned __int128 u; };
struct complex_ { char c; float _Complex f; double _Complex d; long double _Complex l; };

BEGIN
{
	trace((qi_t)-1); trace((uqi_t)-1); trace((hi_t)-1); trace((uhi_t)-1);
	trace((si_t)-1); trace((usi_t)-1); trace((di_t)-1); trace((udi_t)-1);
	trace((ptr_t)-1); trace((uw_t)-1);
	trace(sizeof (sf_t)); trace(sizeof (df_t)); trace(sizeof (xf_t));
	trace(sizeof (ti_t)); trace(sizeof (v4_t)); trace(sizeof (v8_t));
	trace(sizeof (struct packed)); trace(offsetof(struct packed, l));
	trace(sizeof (struct aligned)); trace(offsetof(struct aligned, i));
	trace(offsetof(struct aligned, d));
	trace(sizeof (struct whole)); trace(sizeof (struct strict));
	trace(sizeof (struct as_long)); trace(offsetof(struct as_long, d));
	trace(sizeof (struct both)); trace(offsetof(struct both, i));
	trace(sizeof (struct vectors)); trace(offsetof(struct vectors, v));
	trace(offsetof(struct vectors, w));
	trace(sizeof (struct wide)); trace(offsetof(struct wide, u));
	trace(sizeof (struct complex_)); trace(offsetof(struct complex_, d));
	trace(offsetof(struct complex_, l));
}
