package script_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// TestRecorders holds that all connections recorded at once are what each is alone, but for the order,
// which counts over all of them, and that one over the limit is named.
func TestRecorders(t *testing.T) {
	t.Parallel()
	list, left := replaytest.Samples(t, "rxe-basic", script.Options{}, 3)
	if len(list) != 3 || len(left) != 1 || !strings.HasPrefix(left[0].String(), "connection 4 (192.0.2.2:") || left[0].Calls != 129 {
		t.Fatalf("%d connections, and left out: %v", len(list), left)
	}
	before := -1
	for i, c := range list {
		alone := replaytest.Sample(t, "rxe-basic", script.Options{Connection: i + 1})
		if c.ID != i+1 || c.Client.Addr != alone.Client.Addr || c.Closed != alone.Closed || c.Closed == 0 || !slices.Equal(c.Lacks, alone.Lacks) || c.Bytes != alone.Bytes {
			t.Errorf("connection %d is %v, and alone %v", i+1, c, alone)
		}
		if len(c.Calls) != len(alone.Calls) || len(c.Messages) != len(alone.Messages) || len(c.Operations) != len(alone.Operations) {
			t.Fatalf("connection %d has %d calls in %d messages, and alone %d in %d", i+1, len(c.Calls), len(c.Messages), len(alone.Calls), len(alone.Messages))
		}
		for j, call := range c.Calls {
			if a := alone.Calls[j]; call.XID != a.XID || call.Name != a.Name || call.Status != a.Status || call.MadeUp() != a.MadeUp() {
				t.Errorf("connection %d, call %d: %s, and alone %s", i+1, j, call.Name, a.Name)
			}
		}
		// In this sample one connection comes after the other.
		for _, m := range c.Messages {
			if m.Order <= before {
				t.Fatalf("frame %d is %d. in the order, and the one before %d.", m.Frame.Number, m.Order, before)
			}
			before = m.Order
		}
	}
}

// TestRecordersLimit holds that the limit on memory is one for all connections.
func TestRecordersLimit(t *testing.T) {
	t.Parallel()
	most := int64(0)
	list, _ := replaytest.Samples(t, "rxe-basic", script.Options{}, 4)
	for _, c := range list {
		most = max(most, c.Bytes)
	}
	r := script.NewRecorders(script.Options{MaxBytes: most}, 4)
	replaytest.Feed(t, "rxe-basic", r)
	if _, _, err := r.Conversations(); err == nil || !strings.Contains(err.Error(), "need more than") {
		t.Errorf("with the memory of the largest connection: %v", err)
	}
}
