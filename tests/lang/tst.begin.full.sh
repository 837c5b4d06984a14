# All that BEGIN, END and ERROR may record finds room in the ring, which is no
# larger than that: logs as long as loops make them, and a fault in each clause.
log='BEGIN { for (int i = 0; i < 1000; i++) printf("text %d\n", i); }'
fault='BEGIN { trace(*(int *)8); }'
error='ERROR { printf("ERROR %d\n", arg4); }'
"$DTRACE" -q -n "$log $log $log $fault $fault $fault $error $error
BEGIN { s = speculation(); speculate(s); printf(\"spec %d\n\", 7); }
BEGIN { commit(s); }
BEGIN { exit(0); }
END { for (int i = 0; i < 500; i++) printf(\"end %d\n\", i); }" 2>&1 |
awk '{ n[$1]++ } END { print n["text"], n["ERROR"], n["spec"], n["end"] }'
