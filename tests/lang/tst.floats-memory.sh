# Floating-point numbers in memory: of the process, copied in, in a variable.
# 24 bytes: int 7; double -1.5 at 8; float 0.25 and 3 at 16
cat >numbers.sh <<'EOF'
exec /usr/bin/printf '\7\0\0\0\0\0\0\0\0\0\0\0\0\0\370\277\0\0\200\76\0\0\100\100' >/dev/null
EOF
"$DTRACE" -q -n '
	struct numbers { int i; double d; float f[2]; };
	struct numbers g;

	syscall::write:entry
	/pid == $target && arg2 == 24/
	{
		printf("%g\n", *(double *)copyin(arg1 + 8, 8));
		this->p = (struct numbers *)copyin(arg1, 24);
		printf("%d %f %g %e\n", this->p->i, this->p->d,
		    this->p->f[0], this->p->f[1]);
		trace(this->p->d);
		trace("\n");
		printf("%g %g\n", ((struct numbers *)args[1])->d,
		    ((struct numbers *)args[1])->f[1]);
		g = *this->p;
		printf("%g %g\n", g.d, g.f[0]);
	}' -c '/bin/sh numbers.sh'
