# The option is as good in a program; the status of the command is still told.
cat >main.d <<'EOF'
#pragma D option evaltime=main
syscall::getpgid:entry, syscall::getppid:entry
/pid == $target/
{
	@[probefunc] = count();
}
EOF
"$DTRACE" -s main.d -c "$(dirname "$WORKLOAD")/points" | tr -s ' \n' ' '
echo
