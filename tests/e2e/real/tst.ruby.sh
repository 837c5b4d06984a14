# Ruby: what raises, which methods of its own classes it calls, loading, collections of
# garbage.  Methods written in Ruby fire while something traces them in Ruby.
# needs: ruby readelf ldd
ruby=$(command -v ruby)
for file in "$ruby" $(ldd "$ruby" | grep -o '/[^ ]*libruby[^ ]*'); do
	readelf -n "$file"
done 2>/dev/null | grep -q stapsdt || { echo "this ruby was built without probes"; exit 77; }
cat >a.rb <<'END'
class Foo
  def bar(x) x.to_s * 2 end
end
TracePoint.new(:call, :return) {}.enable { 5.times { |i| Foo.new.bar(i) } }
begin; raise ArgumentError, "no"; rescue; end
3.times { GC.start }
END
"$DTRACE" -qn '
	ruby$target:::method-entry, ruby$target:::method-return
	{ @m[probename, copyinstr(arg0), copyinstr(arg1), basename(copyinstr(arg2)), arg3] = count(); }
	ruby$target:::cmethod-entry /copyinstr(arg1) == "*"/
	{ @c[copyinstr(arg0), copyinstr(arg1)] = count(); }
	ruby$target:::raise { printf("%s %s:%d\n", copyinstr(arg0), basename(copyinstr(arg1)), arg2); }
	ruby$target:::gc-mark-begin { self->since = timestamp; marks++; }
	ruby$target:::gc-mark-end /self->since/ { marked++; }
	END { printf("%d %d\n", marks >= 3, marks == marked); printa(@m); printa(@c); }
	' -c "ruby --disable-gems a.rb" | awk 'NF { $1 = $1; print }'
