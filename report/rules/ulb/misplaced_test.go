package ulb_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/ddp"
	"github.com/rdmacap/rdmacap/report/rules/ulb"
)

// TestOneFaultOneError has Read chunks where none may be: ULB-007 speaks of them only
// if no rule does that knows which item they stand for.
func TestOneFaultOneError(t *testing.T) {
	for name, text := range map[string]string{
		"a LOOKUP whose name is in a Read chunk": `
connect
call 1 NFS3 LOOKUP what.name="abcdefgh"
    read 0x801 8 at name
reply 1
disconnect`,
		"a WRITE with Read chunks at two Positions": `
connect
call 1 NFS3 WRITE file="abcdefgh" count=4096 data=bytes(4096)
    read 0x801 8 at data
    read 0x802 4096 at item 1
reply 1 count=4096
disconnect`,
	} {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			frames := ruletest.Frames(t, text, over)
			for _, x := range []struct {
				list []*rules.Rule
				want []string
			}{
				{ulb.Rules(), []string{"ULB-007"}},
				{slices.Concat(ddp.Rules(), ulb.Rules()), []string{"DDP-001"}},
			} {
				var got []string
				for _, f := range ruletest.Check(t, x.list, frames) {
					if f.Severity == finding.Error {
						got = append(got, f.ID())
					}
				}
				if !slices.Equal(got, x.want) {
					t.Errorf("%s over %s: errors %q, want %q", name, over, got, x.want)
				}
			}
		}
	}
}
