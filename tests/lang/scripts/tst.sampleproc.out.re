Sampling at 197 hertz\.\.\.

PID    CMD        THREAD SAMPLES
\d+ +workload   (main  |other ) [1-9]\d*
\d+ +workload   (main  |other ) [1-9]\d*
in user mode
[1-9]\d*

