package trans_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// A packet with a reserved opcode is of its connection, and nothing is missing there.
func TestReservedOpcode(t *testing.T) {
	const text = "connect\ncall 1 NFS3 NULL\nreply 1\npacket client opcode=24 payload=bytes(64) take=1\ncall 2 NFS3 NULL\nreply 2\ndisconnect\n"
	found := ruletest.Check(t, families(), played(t, text, scene.RoCE))
	for _, f := range found {
		if f.ID() == "TRANS-001" {
			t.Errorf("%s", f.Message)
		}
	}
	if list := of(found, "TRANS-007"); len(list) != 1 || list[0].Connection == nil || list[0].Doubt != "" {
		t.Errorf("%d findings: %v", len(list), list)
	}
}
