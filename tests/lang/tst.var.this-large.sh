# status: 1
# Clause-locals have room, all of it zero at first; more is refused by name.
cat >d <<'EOF'
#pragma D option quiet
this int t[30000];
BEGIN
{
	this->t[29999] = 5;
	this->t[8200] = 4;
	printf("%d\n", this->t[29999] + this->t[8200] + this->t[8199]);
	exit(0);
}
END { printf("%d %d\n", this->t[29999], this->t[8200]); }
EOF
"$DTRACE" -s d
"$DTRACE" -qn 'this int t[40000]; BEGIN { this->t[1] = 2; exit(0); }' 2>&1
