# HotSpot: collections of garbage, threads, classes; methods where it is told to show them.
# Its library comes later than its program, so that does all again until it was seen.
# needs: java javac
lib=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.home = //p')/lib/server/libjvm.so
readelf -n "$lib" 2>/dev/null | grep -q gc__begin || { echo "this Java has no probes"; exit 77; }
cat >T.java <<'END'
class Kept { }
public class T {
	static int leaf(int n) { return n + 1; }
	static void work() { leaf(1); }
	public static void main(String[] args) throws Exception {
		java.io.File stop = new java.io.File("stop");
		java.net.URL[] here = { new java.io.File(".").toURI().toURL() };
		while (!stop.exists()) {
			Thread t = new Thread(() -> work(), "one-of-ours");
			t.start();
			t.join();
			System.gc();
			new java.net.URLClassLoader(here, null).loadClass("Kept");
		}
	}
}
END
javac T.java
"$DTRACE" -Zwqn '
	hotspot$target:::gc-begin { begun++; self->gc = 1; }
	hotspot$target:::gc-end /self->gc/ { ended++; self->gc = 0; }
	hotspot$target:::thread-start, hotspot$target:::thread-stop
	/copyinstr(arg0, arg1) == "one-of-ours"/ { @[probename, "arg3 is tid", arg3 == tid] = count(); }
	hotspot$target:::thread-stop { stops++; }
	hotspot$target:::class-loaded /copyinstr(arg0, arg1) == "Kept"/
	{ @[probename, "Kept", loads++ > 2] = count(); }
	hotspot$target:::class-loaded /loads >= 5 && stops > 2 && ended > 2 && !done++/ { system("echo >stop"); }
	hotspot$target:::vm-shutdown { @[probename, "", 0] = count(); }
	END { printf("%d %d\n", begun > 2, begun == ended); printa("%s %s %d\n", @); }
	' -c "java -XX:+UseSerialGC T" | sort | grep .
rm stop
"$DTRACE" -Zwqn '
	hotspot$target:::method-entry, hotspot$target:::method-return
	/copyinstr(arg1, arg2) == "T" && copyinstr(arg3, arg4) != "main"/
	{ @[probename, copyinstr(arg3, arg4), copyinstr(arg5, arg6)] = count(); n++; }
	hotspot$target:::method-return /n >= 8 && !done++/ { system("echo >stop"); }
	END { printa("%s %s %s\n", @); }' \
	-c "java -XX:+ExtendedDTraceProbes -XX:+UseSerialGC T" | sort | grep .
