/* flags: -q
 * What stands on the left is read before what stands on the right changes it,
 * though the right side wants more registers; for each kind of change. */
int i, j, k;
int less(int by) { i -= by; return i; }

BEGIN { i = 5; j = 2; k = 3; printf("%d", i + (j * (k + i--))); printf(" %d\n", i); }
BEGIN { i = 5; printf("%d", i + (j * (k + i++))); printf(" %d\n", i); }
BEGIN { i = 5; printf("%d", i + (j * (k + --i))); printf(" %d\n", i); }
BEGIN { i = 5; printf("%d", i + (j * (k + ++i))); printf(" %d\n", i); }
BEGIN { i = 5; printf("%d", i + (j * (k + (i = 9)))); printf(" %d\n", i); }
BEGIN { i = 5; printf("%d", i + (j * (k + (i -= 2)))); printf(" %d\n", i); }
BEGIN { i = 5; printf("%d", i + (j * (k + less(2)))); printf(" %d\n", i); }
BEGIN { exit(0); }
