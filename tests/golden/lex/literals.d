BEGIN
{
	0; 7; 017; 0x1F; 42u; 42UL; 42ll; 42LLu;
	1.5; .5; 1.; 1e9; 2.5e-3f;
	'a'; '\n'; '\\'; '\''; '\0'; '\x7f'; '\377'; 'ab'; 'abcdefgh';
	""; "plain"; "tab\there"; "quote\"d"; "oct\101 hex\x42"; "nul\0in";
	"caf\xc3\xa9";
	name; _name; name2; @; @agg; @_; `sym; mod`sym; LM0`libc`sym;
	a.out`x; libc.so.6`y; libstdc++.so.6`std::cout; a.out`one::two::three; p.q; i++.x;
}
