# A whole page; frames stand on what they belong to.
"$DTRACE" -q -O flamegraph -n 'syscall::getppid:entry /pid == $target/
	{ @[execname, ustack()] = count(); } syscall::getppid:entry /pid == $target/
	{ @b["<a&b>", "\xff"] = count(); }' -c "$WORKLOAD getppid:50" >out
python3 "$E2E/../support/pagecheck.py" out 'frames[0]["title"], [f["title"] for f in frames
	if f["depth"] == 2 and "a&b" in f["title"]],
	any("workload`" in f["title"] for f in frames),
	{bool(f["label"]) for f in frames if re.search(r"workload`\w", f["title"])},
	re.findall("syscall::getppid:entry|-c /", page)[-2:],
	re.sub(r"\d+\.\d", "N", re.search("100 samples, .* s", page)[0])'
# What is printed and cleared is in it with what follows, and what is not, not.
"$DTRACE" -q -O flamegraph -n 'BEGIN { @a["x"] = count(); @b["y"] = count(); printa(@a);
	clear(@a); trunc(@b); @a["x"] = count(); @m["z"] = max(9); exit(0); }' >out
python3 "$E2E/../support/pagecheck.py" out '[f["title"] for f in frames]'
"$DTRACE" -q -O flamegraph -n 'BEGIN { exit(0); }' >out
python3 "$E2E/../support/pagecheck.py" out 'len(frames), "Nothing was aggregated" in page'
"$DTRACE" -q -O flamegraph -n 'BEGIN { @["once"] = count(); exit(0); }' >out
python3 "$E2E/../support/pagecheck.py" out 're.search("[0-9]+ sample.", page)[0]'
