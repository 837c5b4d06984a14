1 1

              300

              workload`.*
              300
status 1
dtrace: failed to grab pid 1: it has another number for probes, as in a container: run dtrace in the machine's first pid namespace
