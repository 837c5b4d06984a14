# needs: c++ eu-stack
# ustack() has every frame, at its address, that eu-stack finds in the same process stopped
# there: signals, on a stack of their own, too, alloca, exceptions on their way, callbacks,
# threads, the child of a vfork, a library that was loaded later (until its table is there its
# stacks are marked); dynamic and static.
cp "$HERE/truth.cc" .
c++ -O2 -fomit-frame-pointer -shared -fPIC -DLIBRARY -o library.so truth.cc -lpthread &&
c++ -O2 -fomit-frame-pointer -o dynamic truth.cc -lpthread &&
c++ -O2 -fomit-frame-pointer -static -o static truth.cc -lpthread 2>/dev/null || exit
python3 "$HERE/truth.py" dynamic ./dynamic ./library.so
rm traced enough
python3 "$HERE/truth.py" static ./static
