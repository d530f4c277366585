package keep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// excerpts notes what is to be made, and makes a copy of the frames.
type excerpts struct {
	guard sync.Mutex
	list  []Clip
	fail  error
	hold  chan struct{} // nil, or what making waits for
}

func (e *excerpts) make(x *Clip) error {
	if e.hold != nil {
		<-e.hold
	}
	data, err := os.ReadFile(x.Capture)
	if err == nil {
		err = os.WriteFile(filepath.Join(x.Dir, x.Name+".copy"), data, 0o600)
	}
	e.guard.Lock()
	defer e.guard.Unlock()
	e.list = append(e.list, *x)
	return errors.Join(err, e.fail)
}

// gathering opens a Recorder that keeps two seconds before and one after, in 1 MiB.
func gathering(t *testing.T, e *excerpts, o Options) (*Recorder, *told) {
	t.Helper()
	o.Wait = true
	if o.Evidence == nil {
		o.Evidence = &Evidence{Around: Around{2 * time.Second, time.Second, 1 << 20}, Every: time.Hour, Count: 100}
	}
	o.Evidence.Make = e.make
	return open(t, o)
}

// every sends frames of some bytes, one each tenth of a second, from a number up to another.
func every(t *testing.T, r *Recorder, from, to uint32, size int) {
	t.Helper()
	for n := from; n < to; n++ {
		give(t, r, frame(n, size, time.Duration(n)*100*time.Millisecond))
	}
}

// occasion is one that the n-th frame shows, which is the newest.
func occasion(rule string, connection int, n int64) Trigger {
	at := start + n*100e6
	return Trigger{Rule: rule, Severity: "error", Message: "bad", Connection: connection, Frame: n + 1, Time: at, Reported: at}
}

// settled waits until the Recorder has looked at all occasions.
func settled(r *Recorder) {
	for busy := true; busy; time.Sleep(time.Millisecond) {
		r.guard.Lock()
		busy = len(r.asked) > 0 || len(r.full) > 0 || r.busy
		r.guard.Unlock()
	}
}

// TestExcerpt: the seconds before and after, in a folder that gets its name at the end.
func TestExcerpt(t *testing.T) {
	e := &excerpts{hold: make(chan struct{})}
	r, said := gathering(t, e, Options{})
	every(t, r, 0, 101, 100)
	r.Occur(occasion("DDP-005b", 3, 100))
	settled(r)
	every(t, r, 101, 200, 100)
	name := "finding-20231114T221330.000Z-DDP-005b-connection3"
	for range 1000 {
		if len(inDir(t, r.opts.Dir)) == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if names := inDir(t, r.opts.Dir); !slices.Equal(names, []string{name + ".part"}) {
		t.Errorf("while it is made: %q", names)
	}
	close(e.hold)
	r.Close()
	if names := inDir(t, r.opts.Dir); !slices.Equal(names, []string{name}) {
		t.Fatalf("%q", names)
	}
	base := strings.TrimPrefix(name, "finding-")
	dir := filepath.Join(r.opts.Dir, name)
	if names := inDir(t, dir); !slices.Equal(names, []string{base + ".copy"}) {
		t.Errorf("%q", names)
	}
	got := read(t, filepath.Join(dir, base+".copy"))
	first, last := got[0].n, got[len(got)-1].n
	// Chunks span a second: there may be one more at both ends.
	if first > 80 || first < 69 || last < 110 || last > 121 {
		t.Errorf("frames from %d to %d", first, last)
	}
	inOrder(t, got, first, last+1)
	x := e.list[0]
	if len(x.Missing) > 0 || x.Frames != int64(len(got)) || x.First != got[0].Time || x.Last != got[len(got)-1].Time || len(x.Triggers) != 1 {
		t.Errorf("%+v", x)
	}
	if lines := said.with(name + ": evidence of DDP-005b: "); len(lines) != 1 || len(said.with("1 piece of evidence")) != 1 || len(said.with("! ")) > 0 {
		t.Errorf("said: %q", said.lines)
	}
}

// TestExcerptOfWhatIsThere: what is missing is reported: of a capture that is too short, and of
// one with more than memory has room for.
func TestExcerptOfWhatIsThere(t *testing.T) {
	e := new(excerpts)
	r, _ := gathering(t, e, Options{})
	every(t, r, 0, 11, 100)
	r.Occur(occasion("DDP-001", 1, 10))
	every(t, r, 11, 14, 100)
	r.Close()
	if x := e.list[0]; x.Frames != 14 || len(x.Missing) != 2 || x.Missing[0] != "capturing started 1 s before the frame of the finding" ||
		x.Missing[1] != "capturing ended 300 ms after the finding was made" {
		t.Errorf("%+v", x)
	}

	e = new(excerpts)
	r, _ = gathering(t, e, Options{})
	every(t, r, 0, 101, 100_000)
	settled(r)
	r.guard.Lock()
	size := len(r.window.memory)
	r.guard.Unlock()
	if size != 1<<20 {
		t.Errorf("%d bytes in memory", size)
	}
	r.Occur(occasion("DDP-001", 1, 100))
	settled(r)
	every(t, r, 101, 140, 100_000)
	r.Close()
	x := e.list[0]
	got := read(t, filepath.Join(r.opts.Dir, "finding-"+x.Name, x.Name+".copy"))
	want := "the beginning was dropped from memory, which holds 1.0 MB: the first frame here came "
	if len(x.Missing) != 2 || !strings.HasPrefix(x.Missing[1], want) || x.Missing[0] != "the end is missing: no more than 2.1 MB fits" || got[0].n < 85 || got[0].n > 99 {
		t.Errorf("%+v, from frame %d on", x, got[0].n)
	}
}

// TestLateFinding: a finding may be reported long after its frame.
func TestLateFinding(t *testing.T) {
	e := new(excerpts)
	r, _ := gathering(t, e, Options{})
	every(t, r, 0, 301, 100)
	o := occasion("RPC-001", 1, 100)
	o.Reported = start + 300*100e6
	r.Occur(o)
	settled(r)
	every(t, r, 301, 400, 100)
	r.Close()
	x := e.list[0]
	got := read(t, filepath.Join(r.opts.Dir, "finding-"+x.Name, x.Name+".copy"))
	if first, last := got[0].n, got[len(got)-1].n; len(x.Missing) > 0 || first < 69 || first > 80 || last < 310 || last > 321 {
		t.Errorf("%+v, frames %d to %d", x, first, last)
	}
}

// TestFewExcerpts: one of a rule on a connection in a time, and all findings of that time
// in one; what has none is counted.
func TestFewExcerpts(t *testing.T) {
	e := new(excerpts)
	r, said := gathering(t, e, Options{})
	n := uint32(0)
	occur := func(rule string, connection int) {
		every(t, r, n, n+50, 100)
		n += 50
		r.Occur(occasion(rule, connection, int64(n)-1))
		settled(r)
	}
	occur("DDP-001", 1)
	r.Occur(occasion("DDP-002", 1, int64(n)-1)) // which joins the first
	settled(r)
	for range 3 {
		occur("DDP-001", 1) // none
	}
	occur("DDP-002", 1) // none
	occur("DDP-001", 2)
	occur("DDP-003", 0)
	r.Close()
	var got []string
	for _, x := range e.list {
		got = append(got, fmt.Sprintf("%s-%d of %d", x.Triggers[0].Rule, x.Triggers[0].Connection, len(x.Triggers)))
	}
	if want := []string{"DDP-001-1 of 2", "DDP-001-2 of 1", "DDP-003-0 of 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if lines := said.with("! "); len(lines) != 1 || !strings.Contains(lines[0], "3 pieces of evidence; 4 more findings have none") {
		t.Errorf("said: %q", said.lines)
	}
	if names := inDir(t, r.opts.Dir); len(names) != 3 || !strings.HasSuffix(names[2], "-DDP-003-capture") {
		t.Errorf("%q", names)
	}
}

// TestFindingsGoOn: findings prolong an excerpt, but not for ever.
func TestFindingsGoOn(t *testing.T) {
	e := new(excerpts)
	r, _ := gathering(t, e, Options{})
	for i := range 20 {
		every(t, r, uint32(i*5), uint32(i*5+5), 100)
		r.Occur(occasion(fmt.Sprintf("DDP-%03d", i), 1, int64(i*5+4)))
		settled(r)
	}
	r.Close()
	if len(e.list) < 2 || len(e.list) > 4 {
		t.Fatalf("%d excerpts", len(e.list))
	}
	for _, x := range e.list {
		t.Logf("%d findings, %v", len(x.Triggers), time.Duration(x.Last-x.First))
		if d := time.Duration(x.Last - x.First); d > 9*time.Second {
			t.Errorf("it spans %v", d)
		}
	}
}

// TestExcerptOfAQuietWire ends when its time is over, though no frame comes.
func TestExcerptOfAQuietWire(t *testing.T) {
	e := new(excerpts)
	r, said := gathering(t, e, Options{Evidence: &Evidence{Around: Around{500 * time.Millisecond, 100 * time.Millisecond, 1 << 20}, Count: 5}})
	every(t, r, 0, 10, 100)
	r.Occur(occasion("DDP-001", 1, 9))
	said.wait(t, "evidence of DDP-001: 10 frames")
	if x := e.list[0]; len(x.Missing) != 0 {
		t.Errorf("%+v", x)
	}
	r.Close()
}

// TestMuchEvidence: of too many folders the oldest of the rule with most go, also marked ones
// of earlier runs.
func TestMuchEvidence(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"finding-20200101T000000.000Z-SEC-001-connection1", "finding-20210101T000000.000Z-DDP-001-connection1.part",
		"finding-20210101T000001.000Z-DDP-001-connection2-2", "finding-20220101T000000.000Z-DDP-001-capture",
	} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "finding-mine"), 0o700); err != nil {
		t.Fatal(err)
	}
	e := new(excerpts)
	r, said := gathering(t, e, Options{Dir: dir, Evidence: &Evidence{Around: Around{0, 0, 1 << 20}, Count: 3}})
	every(t, r, 0, 2, 100)
	r.Occur(occasion("DDP-002", 1, 1))
	settled(r)
	r.Close()
	want := []string{
		"finding-20200101T000000.000Z-SEC-001-connection1", "finding-20220101T000000.000Z-DDP-001-capture",
		"finding-20231114T221320.100Z-DDP-002-connection1", "finding-mine",
	}
	if names := inDir(t, dir); !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if len(said.with("4 pieces of evidence of earlier runs")) != 1 || len(said.with(".part is incomplete")) != 1 {
		t.Errorf("said: %q", said.lines)
	}
}

// TestEvidenceThatCannotBeMade: the frames are there all the same, and it is reported; if not
// even they can be written, that is reported once.
func TestEvidenceThatCannotBeMade(t *testing.T) {
	e := &excerpts{fail: errors.New("no more paper")}
	r, said := gathering(t, e, Options{})
	every(t, r, 0, 10, 100)
	r.Occur(occasion("DDP-001", 1, 9))
	r.Close()
	name := "20231114T221320.900Z-DDP-001-connection1"
	if names := inDir(t, filepath.Join(r.opts.Dir, "finding-"+name)); !slices.Equal(names, []string{name + ".pcapng"}) {
		t.Errorf("%q", names)
	}
	inOrder(t, read(t, filepath.Join(r.opts.Dir, "finding-"+name, name+".pcapng")), 0, 10)
	if lines := said.with("! "); len(lines) != 1 || !strings.Contains(lines[0], "no more paper") {
		t.Errorf("said: %q", said.lines)
	}

	disk := new(fullDisk)
	r, said = gathering(t, new(excerpts), Options{create: creating(disk.write)})
	every(t, r, 0, 10, 100)
	for i := range 3 {
		r.Occur(occasion("DDP-001", i, 9))
	}
	r.Close()
	if lines := said.with("no space left on device: no evidence is written"); len(lines) != 1 || len(inDir(t, r.opts.Dir)) > 0 {
		t.Errorf("%q; said: %q", inDir(t, r.opts.Dir), said.lines)
	}
}
