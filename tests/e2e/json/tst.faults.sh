# A fault is an event between the others, and ERROR's clauses make theirs.
"$DTRACE" -q -O json -n '
syscall::getppid:entry /pid == $target/ { trace("before"); }
syscall::getppid:entry /pid == $target/ { self->x = 0; trace(5 / self->x); }
syscall::getppid:entry /pid == $target/ { trace("after"); }
ERROR { trace(arg4); }' -c "$WORKLOAD getppid:3" >out 2>err
python3 "$E2E/../support/jsoncheck.py" out '[(e["fault-name"], e["count"]) if e["id"] == -1
	else e["output"][0]["value"] for e in events]'
python3 "$E2E/../support/jsoncheck.py" out '[(e["probe"]["function"], e["execname"],
	e["fault"], e["action"], "dtrace: " + e["msg"] + "\n" in open("err").read())
	for e in events if e["id"] == -1 and e["count"] == 1][0]'
# Where: in a function, and in one of another file.
mkdir lib
echo 'int inverse(int a) { return 1 / a; }' >lib/inverse.d
cat >s.d <<'END'
int minus(int a)
{
	return -1 / a;
}
BEGIN { trace(1 / zero++); }
BEGIN { trace(minus(0)); }
BEGIN { trace(inverse(0)); exit(0); }
BEGIN { exit(0); }
END
"$DTRACE" -q -O json -Llib -s s.d >out 2>err
python3 "$E2E/../support/jsoncheck.py" out '[(e.get("line"), e.get("file"))
	for e in events if e["id"] == -1]'
