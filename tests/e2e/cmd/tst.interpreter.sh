printf '#!%s -qs\nBEGIN { printf("%%d %%s\\n", $1, $$2); exit(0); }\n' "$DTRACE" >x.d
chmod +x x.d
./x.d 5 five
