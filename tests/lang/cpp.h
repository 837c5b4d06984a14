/* Included by tst.cpp.*. */
#define SQUARE(x) ((x) * (x))
inline int ANSWER = 42;

static int
quotient(int a, int b)
{
	return a / b;
}
