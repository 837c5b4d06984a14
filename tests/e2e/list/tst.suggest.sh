# A list that nothing matches is an error that says what may have been meant.
try() { "$DTRACE" "$@" 2>&1; echo "status $?"; }
try -l -n syscall::opemat:entry
try -l -P syscal
try -l -m nomatch
try -l -n pid4194305:::entry
try -l -n 'BEGIN, plockstat:::'
try -li -3
try -i i23
try -n 'srp:::start { trace(1); }'
try -n 'BEGIN { trace($1); }'
# A wrong rate is near no probe, and a pattern that many providers fit is none of pid.
try -n 'profile-100000 { trace(1); }'
try -ln tick-1x
try -n '*:::BEGINX { trace(1); }'
try -ln nosuch:x
try -ln 'BEGIN,syscall::opne:entry,pid4194305:::entry'
