# libstdc++: who throws what, and who catches it.
# needs: g++
cat >t.cc <<'END'
#include <stdexcept>
static void __attribute__((noinline)) thrower(int n) { if (n % 2) throw std::out_of_range("no"); throw n; }
static int __attribute__((noinline)) catcher(int n)
{
	try { thrower(n); } catch (int &) { return 1; } catch (std::exception &) { return 2; }
	return 0;
}
int main() { int n = 0; for (int i = 0; i < 20; i++) n += catcher(i); return n != 30; }
END
g++ -O1 -g -o t t.cc || exit 77
"$DTRACE" -qn '
	libstdcxx$target:::throw { @[probename, ufunc(ucaller)] = count(); thrown = arg0; }
	libstdcxx$target:::catch /arg0 == thrown/ { @[probename, ufunc(ucaller)] = count(); }
	pid$target:a.out:main:return { printf("%d\n", arg1); }' -c ./t |
	awk 'NF { $1 = $1; print }'
