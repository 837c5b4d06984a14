1 1

              300

              workload`.*
              300
status 1
dtrace: failed to grab pid 1: this is not the machine's first pid namespace, and probes see other numbers
