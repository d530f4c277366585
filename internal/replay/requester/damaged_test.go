package requester_test

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// TestDamaged takes conversations out of damaged captures: whatever they lack, they are planned,
// or refused, and can be replayed to a server that answers nothing.
func TestDamaged(t *testing.T) {
	t.Parallel()
	planned, refused := 0, 0
	for _, sample := range long.Pick([]string{"rxe-cb"}, []string{"rxe-cb", "siw-cb", "rxe-thresh", "version2-roce"}) {
		file, err := capture.Open(filepath.Join("..", "..", "..", "samples", sample+".pcap.zst"), 0)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := damage.Record(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for seed, v := range damage.Variants() {
			r := script.NewRecorder(script.Options{})
			d := dissect.New(r, dissect.Options{Data: r, Accesses: r})
			for i, f := range v.Of(whole, damage.Random(sample, v.Name, seed)) {
				d.Frame(&capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: whole.Link, Data: f.Data, Length: int32(f.Length)})
			}
			d.Flush()
			c, err := r.Conversation()
			if err != nil {
				refused++
				continue
			}
			for _, call := range c.Calls {
				_, made := call.Message()
				if _, madeUp := call.Result(); call.Missing == "" && made+madeUp != 0 {
					t.Errorf("%s, %s: %s lacks nothing, and %d bytes are made up", sample, v.Name, call.Name, made+madeUp)
				}
				for i := range call.Segments {
					if g := &call.Segments[i]; uint64(len(g.Data)) > uint64(g.Length) {
						t.Errorf("%s, %s: %d bytes of a segment of %d", sample, v.Name, len(g.Data), g.Length)
					}
				}
				call.Returned(rpcrdma.ForWrite, 0)
			}
			p, err := requester.NewTogether([]*script.Conversation{c}, requester.Options{Immediately: true, ReplyLimit: time.Millisecond, TimeLimit: time.Minute})
			if err != nil {
				refused++
				continue
			}
			planned++
			if err := p.WriteText(io.Discard, "server"); err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprintf("%s %s", sample, v.Name), func(t *testing.T) {
				f := fabric.New(fabric.SoftRoCE())
				to := serve(t, f, &server{calls: forward(c), silent: true})
				if r, err := requester.RunTogether(t.Context(), f, to, p); err != nil || r[0].Counts().Answered != 0 {
					t.Errorf("%v, %+v", err, r)
				}
			})
		}
	}
	if planned < 10 || refused == 0 {
		t.Errorf("%d planned, %d refused", planned, refused)
	}
}
