# However the kernel lets a call be seen, its stack begins with the function where the
# tracepoint is, and so do caller and stackdepth.
case $(uname -m) in x86_64) number=110 ;; aarch64) number=173 ;; *) exit 77 ;; esac
"$DTRACE" -qn '
	syscall::getppid:entry /pid == $target/
		{ @call[stack(), stackdepth, caller] = count(); @n = count(); }
	sdt:::sys_enter /pid == $target && arg1 == '$number'/
		{ @point[stack(), stackdepth, caller] = count(); @n = count(); }
	END { printa("call %k %d %a %@d\n", @call); printa("point %k %d %a %@d\n", @point);
		printa("%@d\n", @n); }' -c "$WORKLOAD getppid:100" >out
sed -n '/^call/,/ 100$/p' out | sed 1d >call
sed -n '/^point/,/ 100$/p' out | sed 1d >point
[ -s call ] && diff call point && tail -2 out | sed '/^$/d'
