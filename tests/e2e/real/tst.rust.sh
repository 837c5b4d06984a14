# needs: rustc
# A program in Rust whose probes pass JSON.
rustc -O "$HERE/orders.rs" -o orders 2>log || { cat log; exit 77; }
"$DTRACE" -qn 'orders$target:::order-placed {
	this->t = copyinstr(arg0);
	printf("%d %s %s\n", strtoll(json(this->t, "ok.val")), json(this->t, "who"),
	    arg1 == strlen(this->t) + 1 ? "whole" : "cut");
	@[json(this->t, "who")] = sum(strtoll(json(this->t, "ok.val"))); }' -c ./orders
"$DTRACE" -qn 'pid$target:a.out:orders??fire*:entry { printf("%s %d\n", probename, arg1); }' -c ./orders
