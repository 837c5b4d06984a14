# needs: gcc addr2line
# With ustacklines a stack of a program has the functions and lines, also of what was
# inlined, that addr2line finds at the addresses of the same stack.
gcc -g -O2 -no-pie -fno-pie -o lines "$HERE/lines.c"
D='syscall::write:entry /pid == $target && arg2 > 6/'
"$DTRACE" -x noresolve -qn "$D { ustack(); exit(0); }" -c ./lines | grep -o '0x[0-9a-f]*' >raw
"$DTRACE" -x ustacklines -qn "$D { ustack(); exit(0); }" -c ./lines |
	sed -n '/_start/d; s/^ *lines`\([a-z_]*\).*(\(.*\))$/\1 \2/p' >ours
# a caller's address is that behind its call; those of the program are low, as linked
n=0
while read -r at; do
	[ ${#at} -lt 10 ] && printf '0x%x\n' $((at - (n > 0)))
	n=$((n + 1))
done <raw | addr2line -f -i -e lines | paste -d' ' - - |
	sed -n 's| .*/\([^/ ]*:[0-9]*\).*| \1|p' >theirs
diff theirs ours && cat ours
