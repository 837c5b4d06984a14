# amin refuses what is less stable; pragmas say how stable names are.
try() { "$DTRACE" -e -x errtags -x amin="$1" -n "$2" 2>&1 | head -n 1; }
try Evolving/Evolving/Common 'tick-1 { trace(pid); }'
try Stable/Stable/Common 'tick-1 { trace(pid); }'
try Stable/Stable/Common 'BEGIN { trace(curthread); }'
try stable/bad/common 'BEGIN { trace(1); }'
cat > a.d <<'D'
inline int soft = 3;
#pragma D attributes Unstable/Unstable/ISA soft
BEGIN { trace(soft); }
D
"$DTRACE" -e -v -s a.d | tail -n 5
"$DTRACE" -e -x errtags -x amin=Evolving/Evolving/ISA -s a.d 2>&1 | head -n 1
