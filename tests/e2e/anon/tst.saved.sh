# What -A keeps: words as they were given, the text of programs, where it was said and
# the environment's options; and it takes all of that away again.
. "$HERE/anon.sh"
{
mkdir -p "$root/run/systemd/system" inc
echo '#define TEXT "included"' >inc/local.h
cat >inc/one.d <<'END'
#include "local.h"
#include <other.h>
BEGIN { printf("%s %s %s\n", TEXT, OTHER, $$1); }
END
mkdir other
echo "#define OTHER \"it's\"" >other/other.h
echo 'BEGIN { printf("from a pipe, %d\n", $2); }' |
	DTRACE_OPT_BUFSIZE=2m anon -A -qC -x argref -I other -s inc/one.d -s - "a'b c" 7
(cd "$root" && find . -type f -o -type l | sort)
rm inc/one.d
begin
claim -e
grep -c "^export DTRACE_OPT_BUFSIZE='2m'" "$root/etc/dtrace/anonymous"
# Those that systemd has: the rest of a system is not there.
if command -v systemd-analyze >/dev/null; then
	systemd-analyze verify --man=no "$root/etc/systemd/system/dtrace-anonymous.service"
fi
echo "-- another in its place"
anon -A -q -n 'BEGIN { printf("another\n"); }'
(cd "$root/etc/dtrace" && find . -type f)
begin
claim -e
echo "-- a program that is wrong changes nothing"
anon -A -n 'BEGIN { nosuch(); }' 2>/dev/null
echo status $?
begin
claim -e
echo "-- nor do flags that have no meaning"
for flag in '-c true' '-p 1' -e '-o x' '-r x' '-i 1'; do
	anon -A $flag -n BEGIN
	echo status $?
done
anon -A -l -n BEGIN
echo "-- none"
anon -A
anon -A
(cd "$root/etc" && find . -type f -o -type l)
echo "-- another init"
rmdir "$root/run/systemd/system"
anon -A -q -n BEGIN
} 2>&1 | plain
over
