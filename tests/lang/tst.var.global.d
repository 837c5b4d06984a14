/* flags: -q
 * A global is there from its declaration or first assignment on, for all
 * probes; nothing was given to it, so it is 0. */
int declared;
BEGIN { printf("%d\n", declared); declared = 7; implied = 8; }
BEGIN { declared += implied; }
BEGIN { exit(0); }
END { printf("%d %d\n", declared, implied); }
