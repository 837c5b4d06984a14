# What pr_flag says of a program, and of the first thread of the kernel, which is
# the parent of all others and its own, and idle when it runs.
{
	echo 'BEGIN { this->t = curthread; }'
	for ((i = 0; i < 100; i++)); do
		echo 'BEGIN { this->t = this->t->real_parent; }'
	done
	cat <<'D'
BEGIN
{
	this->own = curlwpsinfo->pr_flag;
	this->first = xlate <lwpsinfo_t *>(this->t)->pr_flag;
	printf("%d %d\n", this->own & PR_ISSYS, this->own & PR_IDLE);
	printf("%d %d %d\n", this->t->pid, !!(this->first & PR_ISSYS),
	    !!(this->first & PR_IDLE));
	exit(0);
}
D
} >flags.d
"$DTRACE" -qs flags.d
