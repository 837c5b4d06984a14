# needs: gcc
# A definition that goes through the preprocessor, as large programs have them: types
# of macros, lines of comments, includes.
cat >ids.h <<'END'
#define Oid unsigned int
typedef int backend_t;
END
cat >probes.d <<'END'
#include "ids.h"
#define bool unsigned char
/*
 * provider commented { probe out(); };
 */
provider big {
	probe lock__wait(Oid, bool, backend_t);	/* "three" */
};
END
"$DTRACE" -C -h -s probes.d -o probes.h && sed 's/BIG_/TRACE_BIG_/' probes.h >mine.h || exit
cat >a.c <<'END'
#include "mine.h"
int main(void) { TRACE_BIG_LOCK_WAIT(1u, 2, -3); return TRACE_BIG_LOCK_WAIT_ENABLED(); }
END
gcc a.c -o a && ./a && python3 "$HERE/notes.py" a && readelf -p .note.dtrace a | grep -o 'typedef.*'
