# needs: gcc
# Types as BTF.
cat >words.c <<'END'
#include <stdlib.h>
enum sort { SHORT, LONG };
struct word { struct word *next; enum sort sort; unsigned seen : 7, age : 9; char text[8]; };
union any { struct word w; long n; };
union any all;
int entered = 3;
__attribute__((noinline)) struct word *enter(struct word *next, int age)
{
	struct word *w = calloc(1, sizeof(*w));
	w->next = next;
	w->sort = LONG;
	w->age = age;
	w->text[0] = 'w';
	entered++;
	return w;
}
int main(void) { all.w.next = enter(enter(NULL, 300), 301); }
END
gcc -gbtf -O1 -o words words.c 2>/dev/null && readelf -WS words | grep -q '\.BTF' || { echo "gcc makes no BTF"; exit 77; }
"$DTRACE" -qn 'pid$target:a.out:enter:return { this->w = (struct word *)arg1; printf("%d %s\n", this->w->age, this->w->text);
	print(*this->w); print(((union any *)arg1)->w.sort); trace(sizeof(union any)); }' -c ./words | sed 's/0x[0-9a-f]\{6,\}/ADDR/'
"$DTRACE" -lvn 'pid$target:a.out:enter:entry' -c ./words | grep 'args\['
"$DTRACE" -qn 'pid$target:a.out:enter:entry /args[0]/ { printf("%d %d %d\n", args[0]->age, args[1], a.out`entered); }
	pid$target:a.out:enter:return { printf("%s %d\n", args[1]->text, a.out`all.w.next == NULL); }' -c ./words
