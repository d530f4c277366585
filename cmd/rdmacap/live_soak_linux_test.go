package main

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/veth"
)

// inUse is what is in use of memory, goroutines and descriptors.
func inUse(t *testing.T) (size uint64, goroutines, descriptors int) {
	t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return m.HeapAlloc, runtime.NumGoroutine(), len(list)
}

// forget drops whole lines of what was printed, which would count as in use, and returns the
// last record of drops among them, or what it was before.
func forget(out *watched, drops string) string {
	out.guard.Lock()
	defer out.guard.Unlock()
	text := out.String()
	whole := strings.LastIndexByte(text, '\n') + 1
	for line := range strings.Lines(text[:whole]) {
		if strings.HasPrefix(line, `{"type":"drops"`) {
			drops = strings.Clone(line)
		}
	}
	out.Reset()
	out.WriteString(text[whole:])
	return drops
}

// TestLiveSoak has connections come and go for a while: what is in use does not grow
// meanwhile, and nothing of it is left behind. `go run ./bench/live -soak 10m` does that for
// longer, with a process of its own.
func TestLiveSoak(t *testing.T) {
	p := veth.New(t)
	// Two generations: when the connections of one come again, they have been over for long.
	var frames [][]byte
	for _, m := range build.NewMany(80, 40, build.Setup{}).Split(40) {
		take := func(goOn func(i int, c *build.Conversation)) {
			for _, f := range m.Turn(goOn) {
				frames = append(frames, f.Data)
			}
		}
		take(func(_ int, c *build.Conversation) { c.Connect() })
		for round := range uint32(10) {
			take(func(i int, c *build.Conversation) {
				xid := uint32(i)<<16 + round
				c.Reply(c.Call(build.NFS3GetAttr(xid, []byte("a file handle"))), build.NFS3GetAttrReply(xid, 3000))
			})
		}
		take(func(_ int, c *build.Conversation) { c.Disconnect() })
	}
	turns := long.Pick(8, 200)
	_, goroutines, descriptors := inUse(t)
	var early, late uint64
	var then, last int
	drops := "" // the last record of them
	got := whileLive(t, func(out *watched) {
		for turn := range turns {
			for i, f := range frames {
				if err := p.Send(f); err != nil {
					t.Error(err)
				}
				if i%64 == 0 {
					time.Sleep(2 * time.Millisecond)
				}
			}
			drops = forget(out, drops)
			if turn == turns/2 {
				early, _, then = inUse(t)
			}
		}
		late, _, last = inUse(t)
	}, "-i", p.Far, "--format", "ndjson", "--brief")
	c := countsOf(t, drops+got.out)
	t.Logf("%d frames sent, %d followed; %d bytes in use, then %d", turns*len(frames), c.Frames, early, late)
	if c.Frames+c.Ring+c.Shed != int64(turns*len(frames)) {
		t.Errorf("%+v, of %d frames", c, turns*len(frames))
	}
	if late > early+early/8+1<<20 {
		t.Errorf("%d bytes are in use, and %d before", late, early)
	}
	if last > then {
		t.Errorf("%d descriptors, and %d before", last, then)
	}
	for range 100 { // those that end now
		if _, g, d := inUse(t); g <= goroutines && d <= descriptors {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	_, g, d := inUse(t)
	t.Errorf("%d goroutines and %d descriptors are left, %d and %d were there", g, d, goroutines, descriptors)
}
