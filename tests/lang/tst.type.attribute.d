/* flags: -q */
/* What GNU C says of layouts, as its headers do. */
struct packed { char a; int b; short c; } __attribute__((packed));
struct __attribute__((__packed__, aligned(4))) both { char a; int b; };
struct one { char a; int b __attribute__((packed)); char c; };
struct bits { unsigned a : 3; unsigned b : 31; } __attribute__((packed));
struct nine { unsigned char a : 5; unsigned long b : 62; signed char c : 4; }
    __attribute__((packed));
typedef unsigned long u64_4 __attribute__((aligned(4)));
struct late { char a; u64_4 b; _Alignas(32) char c; };
struct like { char a; char b __attribute__((aligned(_Alignof(long)))); };
typedef int half __attribute__((mode(HI)));
typedef unsigned wide __attribute__((__mode__(__DI__)));
typedef int four __attribute__((vector_size(16)));
struct holds { char a; four v; __int128 i; double _Complex c; };
#pragma pack(push, 2)
struct pack2 { char a; long b; };
#pragma pack(1)
struct pack1 { char a; long b; };
#pragma pack(pop)
struct none { char a; long b; };
struct open { char n; union { long l[0]; char c[]; } u; _Static_assert(1, ";"); };
enum small { S } __attribute__((packed));
enum big { B = 0xffffffffffffffff };
enum both_signs { NEGATIVE = -1, POSITIVE = 0xffffffff };
struct words { int self; char *string; int (*this)(char *probe, int); };
struct ignored { int a __attribute__((unused, deprecated("a, (b)"))); }
    __attribute__((may_alias));
typedef void (*no_return)(int) __attribute__((__noreturn__));
struct of { __typeof__(int) a; __typeof__(1ULL + 1) b; _Atomic(short) c; };

BEGIN
{
	printf("packed %d %d %d\n", sizeof (struct packed),
	    offsetof(struct packed, b), offsetof(struct packed, c));
	printf("both %d %d\n", sizeof (struct both), offsetof(struct both, b));
	printf("one %d %d\n", sizeof (struct one), offsetof(struct one, c));
	printf("bits %d\n", sizeof (struct bits));
	printf("late %d %d %d\n", offsetof(struct late, b),
	    offsetof(struct late, c), sizeof (struct late));
	printf("like %d\n", offsetof(struct like, b));
	printf("modes %d %d\n", sizeof (half), sizeof (wide));
	printf("holds %d %d %d %d\n", offsetof(struct holds, v),
	    offsetof(struct holds, i), offsetof(struct holds, c),
	    sizeof (struct holds));
	printf("pack %d %d %d\n", sizeof (struct pack2), sizeof (struct pack1),
	    sizeof (struct none));
	printf("open %d %d\n", offsetof(struct open, u), sizeof (struct open));
	printf("enums %d %d %d\n", sizeof (enum small), sizeof (enum big),
	    sizeof (enum both_signs));
	printf("%u %d %u\n", B, NEGATIVE, POSITIVE);
	this->w = (struct words *)alloca(sizeof (struct words));
	this->w->self = 7;
	printf("words %d %d\n", this->w->self, offsetof(struct words, this));
	printf("ignored %d %d\n", sizeof (struct ignored), sizeof (no_return));
	printf("of %d %d\n", offsetof(struct of, c), sizeof (struct of));

	/* They hold what they are given. */
	this->p = (struct packed *)alloca(sizeof (struct packed));
	this->p->b = -5;
	this->p->c = 9;
	printf("%d %d %d\n", this->p->a, this->p->b, this->p->c);
	this->b = (struct bits *)alloca(sizeof (struct bits));
	this->b->b = 0x7654321f;
	printf("%d %x\n", this->b->a, this->b->b);
	this->n = (struct nine *)alloca(sizeof (struct nine));
	this->n->b = 0x2123456789abcdef;
	this->n->c = -3;
	this->n->a = 21;
	printf("%d %d %x %d\n", sizeof (struct nine), this->n->a, this->n->b,
	    this->n->c);
	exit(0);
}
