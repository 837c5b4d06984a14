# Slips of the fingers.
try() { "$DTRACE" "$@" 2>&1 | grep '^hint'; }
try -n 'sdtt:::'
try -n 'sdt:::sched_swich'
try -n 'sdt:shed::sched_switch'
try -n 'sched:sched_switch'
try -n 'sdt:::sched_switch { trace(args[9]); }'
