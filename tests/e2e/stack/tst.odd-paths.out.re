              workload`[a-z_]*\+0x[0-9a-f]*
              workload`[a-z_]*\+0x[0-9a-f]*
              workload`[a-z_]*\+0x[0-9a-f]*
              workload`[a-z_]*\+0x[0-9a-f]*
