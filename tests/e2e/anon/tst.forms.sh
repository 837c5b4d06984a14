# Each form is the claimer's to choose, and is what a trace with this form gives.
. "$HERE/anon.sh"
program='BEGIN { printf("begin\n"); }
	syscall::getppid:entry /execname == $$1/ { printf("call\n"); @[probefunc, stack()] = count(); }
	END { printf("end\n"); }'
for form in text json jsonl folded flamegraph html perfetto; do
	save -x cpu=0 -n "$program" $me
	begin
	taskset -c 0 "./$me" getppid:40
	claim -e -O $form >$form 2>err || cat err
	case $form in
	jsonl) python3 -c 'import json, sys; [json.loads(l) for l in sys.stdin]' <$form ;;
	json | perfetto) python3 -m json.tool $form >/dev/null ;;
	esac
	case $form in
	folded | flamegraph) grep -q getppid $form || echo "no getppid in $form" ;;
	*) echo "$form: $(grep -o '\bcall\b' $form | wc -l) $(grep -o '\bbegin\b' $form | wc -l)" ;;
	esac
	case $form in
	flamegraph | html) grep -q '<svg\|<html' $form || echo "no page in $form" ;;
	folded) grep -o '[0-9]*$' $form ;;
	esac
done
over
