# timeout: 60
# A directory far deeper than any path that can be named: no fault, and its
# beginning is right.
cp "$WORKLOAD" w
here=$PWD
cat >deep.py <<'END'
import os
for i in range(1500):
    os.mkdir("deep-%05d" % i)
    os.chdir("deep-%05d" % i)
os.execv(os.environ["W"], ["w", "getppid:1"])
END
W=$here/w "$DTRACE" -q -x strsize=4k -n 'syscall::getppid:entry
	/pid == $target/ { printf("%d %s\n", strlen(cwd), cwd); }' \
	-c "python3 deep.py" >got
python3 -c 'import os, sys
path = os.getcwd() + "".join("/deep-%05d" % i for i in range(1500))
sys.stdout.write("4095 %s\n\n" % path[:4095])' | cmp - got
chmod -R u+rwx . && python3 -c 'import shutil, sys
sys.setrecursionlimit(10000)
shutil.rmtree("deep-00000")'
