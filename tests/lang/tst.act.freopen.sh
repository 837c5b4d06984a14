# Output goes to other files for a while, that of commands, too; what is there
# already stays.
echo old >one
"$DTRACE" -qwn 'BEGIN {
	printf("at first\n");
	freopen("%s", "one"); printf("in one\n"); system("echo of a command");
	freopen("%s%d", "two", 2); printf("in two2\n");
	freopen(""); printf("back\n");
	freopen("one");
	exit(0);
}
END { @ = count(); }'
echo --
cat one two2
