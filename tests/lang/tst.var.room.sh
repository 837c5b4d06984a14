# Associative arrays and thread-locals share the room of dynvarsize.  Storing 0
# gives it back; where there is none, the store is lost, and counted.
"$DTRACE" -q -x dynvarsize=16k -n 'int64_t i;
syscall::getppid:entry /pid == $target/ { a[i] = i + 1; @ = sum(a[i] == i + 1); a[i] = 0; i++; }
END { printa("given back %@d\n", @); }' -c "$WORKLOAD getppid:20000"
"$DTRACE" -q -x dynvarsize=16k -n 'int64_t i;
syscall::getppid:entry /pid == $target/ { a[i] = i + 1; @ = sum(a[i] == i + 1); i++; }
END { printa("kept %@d\n", @); }' -c "$WORKLOAD getppid:2000" >out 2>err
awk '$1 == "kept" { kept = $2 }
	/dynamic variable drops?$/ { lost += $2 }
	END { print kept + lost, (kept > 50), (lost > 50) }' out err
# A reading takes no room.
"$DTRACE" -q -x dynvarsize=16k -n 'int64_t i, n, a[int64_t], b[int64_t];
syscall::getppid:entry /pid == $target/ { n += a[i] + b[i]; i++; }
END { a[1] = 0; b[1] = 0; printf("read %d\n", n); }' -c "$WORKLOAD getppid:20000"
