# Also from an interrupt.
"$DTRACE" -wqn 'profile-199 /pid == $target/ { raise(15); }' \
	-c "$BASH -c 'while :; do :; done'" 2>&1 >/dev/null | but_for_the_clock >&2
"$DTRACE" -wn 'profile-199 /pid == $target/ { raise(15); }' \
	-c "$BASH -c 'while :; do :; done'" 2>&1 >/dev/null |
	grep -o 'terminated by SIGTERM'
