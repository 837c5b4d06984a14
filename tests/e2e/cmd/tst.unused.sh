# Macro arguments may be missing and too many in one program.
"$DTRACE" -q -x argref -x defaultargs -n 'BEGIN { printf("%d|%s\n", $2, $$4); exit(0); }' 7 42
