package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/nfs"
)

// TestEveryProcedure plays every procedure, and every operation of COMPOUND and
// CB_COMPOUND, with nothing said of arguments and results, and lets the decoder
// read them.
func TestEveryProcedure(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	lines, n := []string{"connect"}, 0
	play := func(statement, what string) {
		n++
		lines = append(lines, fmt.Sprintf("%s %d %s", statement, n, what), fmt.Sprintf("reply %d", n))
	}
	for _, name := range []string{"NFS", "MOUNT", "NLM", "NSM", "NFSACL", "RPCBIND"} {
		number, _ := program(name)
		for _, v := range spec.Program(number).Versions {
			for _, p := range v.Procedures {
				play("call", fmt.Sprintf("%s%d %s", name, v.Number, p.Name))
			}
		}
	}
	procedures := n
	for statement, union := range map[string]string{"call": "nfs_argop4", "callback": "nfs_cb_argop4"} {
		for _, m := range spec.Type(union).Fields[0].Type.Names.Members {
			compound := "NFS4 COMPOUND"
			if statement == "callback" {
				compound = "CB_COMPOUND"
			}
			play(statement, fmt.Sprintf("%s [%s]", compound, m.Name))
		}
	}
	if procedures < 150 || n-procedures < 85 {
		t.Fatalf("only %d procedures and %d operations", procedures, n-procedures)
	}
	_, s := watch(t, strings.Join(lines, "\n"), RoCE)
	for _, f := range s.faults {
		t.Error(f)
	}
	if s.complete != n {
		t.Errorf("%d of %d RPCs are complete", s.complete, n)
	}
}
