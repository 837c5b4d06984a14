# needs: meson
# timeout: 60
# What is installed finds its libraries, shared and of D, from where it lies, and
# scripts find it.
build=${DTRACE%/src/cmd/dtrace}
meson install -C "$build" --no-rebuild --quiet --destdir "$PWD/root" >log 2>&1 || cat log
bin=$(find root -name dtrace -type f -perm -u=x)
env -u LD_LIBRARY_PATH "$bin" -qn 'BEGIN { printf("installed %d\n", SIGTERM); exit(0); }'
[ -e "$bin" ] && [ -e root/usr/sbin/dtrace -o -L root/usr/sbin/dtrace ] && echo linked
grep -c '^\.Dt DTRACE 8' "$(find root -name dtrace.8)"
