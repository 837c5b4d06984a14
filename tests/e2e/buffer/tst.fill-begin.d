/* flags: -q -x bufpolicy=fill -x bufsize=4k -x strsize=2048
 * BEGIN may fill the buffer; nothing is recorded behind, but for END. */
string text;
BEGIN { text = "text"; }
BEGIN { printf("one %s\n", text); }
BEGIN { printf("two %s\n", text); }
BEGIN { printf("three\n"); }
tick-1ms { printf("never\n"); }
END { printf("end\n"); }
