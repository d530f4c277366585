package keep

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"
)

// A evidenceWriter has excerpts written.
type evidenceWriter struct {
	*Evidence
	r    *Recorder
	open *openClip // nil if there is none
	// began is when the last one of a rule on a connection began, and silent how many
	// occasions had none since.
	began  map[subject]time.Time
	silent map[subject]int64

	making     chan *openClip
	makers     sync.WaitGroup
	made       int64 // excerpts
	suppressed int64 // occasions that had none

	guard   sync.Mutex      // of what follows
	pending map[string]bool // folders that are being made
	// failing says that something could not be written, which was told, and failed when.
	failing bool
	failed  time.Time
}

// pause is how long nothing is tried after something could not be written: what is left
// of a disk is not to be filled and freed again and again.
const pause = 10 * time.Second

// A subject is what excerpts are few of.
type subject struct {
	rule       string
	connection int
}

const (
	// mostMaking is how many excerpts may wait until another one is made.
	mostMaking = 4
	// mostSubjects is how many subjects are remembered.
	mostSubjects = 10_000
)

// evidenceName is what folders are called.
var evidenceName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^finding-\d{8}T\d{6}\.\d{3}Z-([A-Z0-9]+-\d+[a-z]*)-(?:connection\d+|capture)(?:-\d+)?(\.part)?$`)
})

// openEvidenceWriter looks what the folder has of earlier runs.
func openEvidenceWriter(r *Recorder) (*evidenceWriter, error) {
	g := &evidenceWriter{
		Evidence: r.opts.Evidence, r: r, began: make(map[subject]time.Time), silent: make(map[subject]int64),
		making: make(chan *openClip, mostMaking), pending: make(map[string]bool),
	}
	list, err := g.list()
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.marked {
			r.opts.notify(false, "%s is incomplete: an earlier run was killed while writing it", e.path)
		}
	}
	if len(list) > 0 {
		r.opts.notify(false, "%s: %s of evidence of earlier runs, counted in the limit of %d", r.opts.Dir, counted(int64(len(list)), "piece", "pieces"), g.Count)
	}
	g.makers.Go(func() {
		for x := range g.making {
			g.make(x)
		}
	})
	return g, nil
}

// A piece of evidence is a folder.
type evidenceDir struct {
	path, rule string
	marked     bool
}

// remove deletes the folder. It is marked first: a part of it is not to be taken for whole.
func (e *evidenceDir) remove() error {
	path := e.path
	if !e.marked && os.Rename(path, path+marked) == nil {
		path += marked
	}
	return os.RemoveAll(path)
}

// list are the folders that there are, the oldest first.
func (g *evidenceWriter) list() (list []evidenceDir, err error) {
	entries, err := os.ReadDir(g.r.opts.Dir)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", g.r.opts.Dir, plain(err))
	}
	for _, e := range entries { // by name, which begins with the time
		if m := evidenceName().FindStringSubmatch(e.Name()); m != nil && e.IsDir() {
			list = append(list, evidenceDir{filepath.Join(g.r.opts.Dir, e.Name()), m[1], m[2] != ""})
		}
	}
	return list, nil
}

// makeRoom deletes as many folders as it takes for another one: each time the oldest of the
// rule that has most of them, so that a rule that finds much leaves the others theirs.
func (g *evidenceWriter) makeRoom() error {
	list, err := g.list()
	if err != nil {
		return err
	}
	g.guard.Lock()
	defer g.guard.Unlock()
	count := make(map[string]int)
	for _, e := range list {
		count[e.rule]++
	}
	for n := len(list); n >= g.Count; n-- {
		victim := -1
		for i, e := range list {
			if !g.pending[e.path] && (victim < 0 || count[e.rule] > count[list[victim].rule]) {
				victim = i
			}
		}
		if victim < 0 {
			return fmt.Errorf("%s: at most %d pieces of evidence are kept, and all are being written", g.r.opts.Dir, g.Count)
		}
		if err := list[victim].remove(); err != nil {
			return fmt.Errorf("%s: cannot be deleted, to make room: %w", list[victim].path, plain(err))
		}
		count[list[victim].rule]--
		list = slices.Delete(list, victim, victim+1)
	}
	return nil
}

// occur has an excerpt begun, or one that is open go on for longer.
func (g *evidenceWriter) occur(o *Trigger) {
	now := time.Now()
	about := subject{o.Rule, o.Connection}
	last, before := g.began[about]
	again := before && now.Sub(last) < g.Every
	if x := g.open; x != nil {
		if len(x.Triggers) == mostTriggers {
			x.Others++
			return
		}
		x.Triggers = append(x.Triggers, *o)
		if !again {
			g.remember(about, now)
			x.until = max(x.until, min(max(o.Time, o.Reported)+int64(g.After), x.most))
			x.deadline = now.Add(g.After + grace)
			if x.deadline.After(x.lastDeadline) {
				x.deadline = x.lastDeadline
			}
		}
		return
	}
	if again || len(g.making) == mostMaking || g.pausing(now) {
		g.suppressed++
		g.silent[about]++
		return
	}
	if err := g.makeRoom(); err != nil {
		g.fail(err)
		return
	}
	x, chunks, err := newClip(g.r, o, now)
	if err != nil {
		g.fail(err)
		return
	}
	g.open = x
	g.note(x.Dir, true)
	if n := g.silent[about]; n > 0 {
		x.missing("%s of this rule on this connection since the previous evidence", counted(n, "more finding had none", "more findings had none"))
	}
	g.remember(about, now)
	for i := range chunks {
		if g.open == x {
			g.addChunk(&chunks[i])
		}
	}
}

// fail tells why there is no evidence, once.
func (g *evidenceWriter) fail(err error) {
	g.suppressed++
	g.guard.Lock()
	defer g.guard.Unlock()
	if !g.failing {
		g.r.opts.notify(true, "%v: no evidence is written until that is over", err)
	}
	g.failing, g.failed = true, time.Now()
}

// pausing reports whether something could not be written a short time ago.
func (g *evidenceWriter) pausing(now time.Time) bool {
	g.guard.Lock()
	defer g.guard.Unlock()
	return g.failing && now.Sub(g.failed) < pause
}

// remember notes that there is an excerpt about a subject.
func (g *evidenceWriter) remember(about subject, now time.Time) {
	if len(g.began) >= mostSubjects {
		clear(g.began)
		clear(g.silent)
	}
	g.began[about] = now
	delete(g.silent, about)
}

func (g *evidenceWriter) note(dir string, pending bool) {
	g.guard.Lock()
	defer g.guard.Unlock()
	if pending {
		g.pending[dir] = true
	} else {
		delete(g.pending, dir)
	}
}

// addChunk gives the open excerpt a chunk.
func (g *evidenceWriter) addChunk(c *chunk) {
	x := g.open
	switch {
	case x == nil:
	case x.Frames > 0 && c.oldest > x.until:
		g.close()
	case x.full(c):
		x.missing("the end is missing: no more than %s fits", Size(2*g.Memory))
		g.close()
	default:
		if err := x.addChunk(c); err != nil {
			g.open = nil
			g.note(x.Dir, false)
			g.fail(err)
		} else if c.newest >= x.until {
			g.close()
		}
	}
}

// due reports whether the open excerpt is to end even if no frames come.
func (g *evidenceWriter) due(now time.Time) bool { return g.open != nil && now.After(g.open.deadline) }

// turn ends the open excerpt if it is due.
func (g *evidenceWriter) turn(now time.Time) {
	if g.due(now) {
		g.close()
	}
}

// close ends the open excerpt, and has it made.
func (g *evidenceWriter) close() {
	x := g.open
	g.open = nil
	x.ended()
	if err := x.out.Close(); err != nil {
		x.remove()
		g.note(x.Dir, false)
		g.fail(fmt.Errorf("%s: %w", g.r.opts.Dir, plain(err)))
		return
	}
	g.made++
	g.making <- x // has room: occur looks
}

// make makes what is to be kept.
func (g *evidenceWriter) make(x *openClip) {
	err := x.finish(g.Make)
	g.note(x.Dir, false)
	g.guard.Lock()
	g.failing, g.failed = err != nil, time.Now()
	g.guard.Unlock()
	if err != nil {
		g.r.opts.notify(true, "%s: evidence is not as it should be: %v", x.final, plain(err))
		return
	}
	first := &x.Triggers[0]
	g.r.opts.notify(false, "%s: evidence of %s: %s%s", x.final, first.Rule, counted(x.Frames, "frame", "frames"), more(x))
}

// more says what else is to be known of an excerpt.
func more(x *openClip) (s string) {
	if n := int64(len(x.Triggers)) - 1 + x.Others; n > 0 {
		s = ", and of " + counted(n, "more finding", "more findings")
	}
	for _, m := range x.Missing {
		s += "; " + m
	}
	return s
}

// endWriting ends the open excerpt, and waits until all are made.
func (g *evidenceWriter) endWriting() {
	if g.open != nil {
		if x := g.open; x.Last < x.until {
			o := &x.Triggers[0]
			x.missing("capturing ended %s after the finding was made", span(max(0, x.Last-max(o.Time, o.Reported))))
		}
		g.close()
	}
	close(g.making)
	g.makers.Wait()
	if g.made > 0 || g.suppressed > 0 {
		line := fmt.Sprintf("%s: %s of evidence", g.r.opts.Dir, counted(g.made, "piece", "pieces"))
		if g.suppressed > 0 {
			line += fmt.Sprintf("; %s none, because one of the same rule on the same connection had some within %v, or because they came too fast or could not be written",
				counted(g.suppressed, "more finding has", "more findings have"), g.Every)
		}
		g.r.opts.notify(g.suppressed > 0, "%s", line)
	}
}
