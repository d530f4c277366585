package credit_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/credit"
)

// TestPoorCaptures takes frames out of captures of healthy peers, or puts them out of
// order: no such capture may accuse them of anything. Where the last reply is missing
// nothing reports whether there was one, so CREDIT-010 may be in doubt.
func TestPoorCaptures(t *testing.T) {
	for _, name := range []string{"rxe-acl", "rxe-thresh", "rxe-cb", "siw-basic", "siw-cb"} {
		whole := ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 1))
			for what, list := range map[string][]capture.Frame{
				"single frames lost":   lose(whole, func() int { return r.IntN(100) / 99 }),
				"runs of frames lost":  lose(whole, func() int { return r.IntN(300) / 299 * r.IntN(30) }),
				"every tenth lost":     lose(whole, func() int { return r.IntN(10) / 9 }),
				"begun late":           whole[r.IntN(len(whole)):],
				"frames out of order":  shuffle(whole, r),
				"one direction, or so": lose(whole, func() int { return r.IntN(2) }),
			} {
				list = slices.Clone(list)
				for i := range list {
					list[i].Number = int64(i + 1)
				}
				for _, f := range ruletest.Check(t, credit.Rules(), list) {
					if f.Severity > finding.Note && (f.Rule.ID != "CREDIT-010" || f.Doubt == "") {
						t.Errorf("%s, %s, seed %d: %s in frame %d: %s (%s)", name, what, seed, f.ID(), f.Frame.Number, f.Message, f.Doubt)
					}
				}
			}
		}
	}
}

// lose takes frames out: before each it is asked how many.
func lose(list []capture.Frame, most func() int) (kept []capture.Frame) {
	for i := 0; i < len(list); i++ {
		if i += most(); i < len(list) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// shuffle lets one frame of twenty change places with one a little after it.
func shuffle(list []capture.Frame, r *rand.Rand) []capture.Frame {
	list = slices.Clone(list)
	for i := range len(list) - 8 {
		if r.IntN(20) == 0 {
			j := i + 1 + r.IntN(6)
			list[i], list[j] = list[j], list[i]
		}
	}
	return list
}

// TestSeverities checks those that are not the rule's own.
func TestSeverities(t *testing.T) {
	for _, x := range []struct {
		name, scene string
		want        []string
	}{
		{"two calls at once on the first connection", `
connect
call 1 NFS3 NULL
call 2 NFS3 GETATTR
reply 1
reply 2
disconnect`, []string{"error CREDIT-002"}},
		{"two calls at once on the second connection", `
connect
call 1 NFS3 NULL
reply 1
disconnect
wait 1s
connect
call 2 NFS3 NULL
call 3 NFS3 GETATTR
reply 2
reply 3
disconnect`, []string{"warning CREDIT-002"}},
		{"and more than are granted behind it", `
connect
call 1 NFS3 NULL
reply 1
disconnect
wait 1s
connect servercredits=1
call 2 NFS3 NULL
call 3 NFS3 GETATTR
reply 2
reply 3
call 4 NFS3 NULL
call 5 NFS3 GETATTR
reply 4
reply 5
disconnect`, []string{"error CREDIT-001", "error CREDIT-002", "warning CREDIT-012"}},
		{"one cut", `
connect
call 1 NFS3 GETATTR
reply 1; credits 64
call 2 NFS3 GETATTR
reply 2; credits 20
disconnect`, []string{"note CREDIT-004"}},
		{"two cuts", `
connect
call 1 NFS3 GETATTR
reply 1; credits 64
call 2 NFS3 GETATTR
reply 2; credits 20
call 3 NFS3 GETATTR
reply 3; credits 5
disconnect`, []string{"note CREDIT-004", "warning CREDIT-004"}},
		{"two cuts in two seconds", `
connect
call 1 NFS3 GETATTR
reply 1; credits 64
call 2 NFS3 GETATTR
reply 2; credits 20
wait 1500ms
call 3 NFS3 GETATTR
reply 3; credits 5
disconnect`, []string{"note CREDIT-004"}},
	} {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			var got []string
			for _, f := range ruletest.Check(t, credit.Rules(), ruletest.Frames(t, x.scene, over)) {
				if f.Rule.ID != "CREDIT-009" {
					got = append(got, f.Severity.String()+" "+f.ID())
				}
			}
			if slices.Sort(got); !slices.Equal(got, x.want) {
				t.Errorf("%s over %s: %q, want %q", x.name, over, got, x.want)
			}
		}
	}
}
