# needs: gcc
# Types as CTF: a program's, and of a library also its functions' and variables'. What
# libctf cannot read is told.
cat >words.c <<'END'
enum sort { SHORT, LONG = 7, NONE = -2 };
struct word { struct word *next; enum sort sort; unsigned seen : 7, age : 9; char text[8]; union { long n; double d; } u; };
typedef struct word word_t;
static word_t last = { 0, NONE, 1, 300, "w", { 5 } };
__attribute__((noinline)) word_t *enter(word_t *next) { next->seen++; return next; }
int main(void) { return enter(&last)->seen == 0; }
END
cat >area.c <<'END'
struct area { int x, y; struct area *next; };
int limit = 42;
int area(struct area *p, int k, ...) { return p->x * p->y * k; }
END
cat >main.c <<'END'
struct area { int x, y; struct area *next; };
int area(struct area *p, int k, ...);
int main(void) { struct area p = { 6, 7, 0 }; return area(&p, 2) != 84; }
END
gcc -gctf -O1 -o words words.c 2>/dev/null && readelf -WS words | grep -q '\.ctf' || { echo "gcc makes no CTF"; exit 77; }
ldconfig -p | grep -q 'libctf-nobfd\.so\.0' || { echo "there is no libctf"; exit 77; }
"$DTRACE" -qn 'pid$target:a.out:enter:return { this->w = (struct a.out`word *)arg1; print(*this->w); trace(sizeof(a.out`word_t));
	printf(" %d %d", this->w->age, this->w->sort == NONE); }' -c ./words
gcc -gctf -O1 -shared -fPIC -o libarea.so area.c && gcc -O1 -o main main.c -L. -larea -Wl,-rpath,"$PWD"
"$DTRACE" -lvn 'pid$target:libarea.so:area:entry' -c ./main | grep 'args\['
"$DTRACE" -qn 'pid$target:libarea.so:area:entry /args[0]/ { printf("%d %d %d of %d\n", args[0]->x, args[0]->y, args[1], libarea.so`limit); }' -c ./main
objcopy --dump-section .ctf=ctf words
head -c 40 ctf >broken
objcopy --update-section .ctf=broken words
"$DTRACE" -en 'pid$target:a.out:enter:return { print(*(struct a.out`word *)arg1); }' -c ./words 2>&1 | sed -n 's/.*are not known: .*\/words: \(its CTF\).*/\1/p'
