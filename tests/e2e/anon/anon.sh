# What the cases of anonymous tracing share: nothing is written outside the folder of
# the case, and what begins at a boot is begun by hand.
root=$PWD/root
me=anon$$
mkdir -p "$root"
cp "$WORKLOAD" "$me"

anon() { "$DTRACE" --anon-root "$root" "$@"; }
# save ARGUMENTS...: -A, and begin as a boot would.
save() { anon -A "$@" >said 2>&1 || cat said; }
begin() { sh "$root/etc/dtrace/anonymous"; }
claim() { anon -a "$@"; }
holder() { fuser "$root/run/dtrace/anonymous" 2>/dev/null | awk '{ print $NF }'; }
# Nothing is left of the case.
over() { rm -rf "$root"; }
# What a message names that differs from run to run.
plain() { sed "s:$root:ROOT:g; s/process [0-9][0-9]*/process N/; s/$me/ME/g; s:$PWD:HERE:g"; }
