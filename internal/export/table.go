package export

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// Finish completes the objects, writes the manifest, and then the table: a row
// an object.
func (x *Objects) Finish(_ dissect.Summary, _ time.Duration) error {
	if x.err != nil {
		return x.err
	}
	entries, err := x.complete()
	if err != nil {
		x.fail(err)
		return err
	}
	if x.opts.Quiet {
		return nil
	}
	return x.table(entries)
}

// complete gives every object its final form.
func (x *Objects) complete() ([]entry, error) {
	for _, o := range x.store.open {
		err := o.file.Close()
		o.file = nil
		x.fail(err)
	}
	x.store.open = nil
	if x.err != nil {
		return nil, x.err
	}
	slices.SortStableFunc(x.store.objects, func(a, b *object) int {
		if a.number != b.number {
			return a.number - b.number
		}
		return strings.Compare(a.direction, b.direction)
	})
	zeros := uint64(maxZeros)
	entries := make([]entry, 0, len(x.store.objects))
	for i, o := range x.store.objects {
		e, err := o.finish(x.store.dir, &zeros, i < maxSynced)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, writeManifest(x.store.dir, x.store.rights, entries)
}

// table writes a row an object, and what was left out.
func (x *Objects) table(entries []entry) error {
	out := bufio.NewWriter(x.out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(entries) > 0 {
		fmt.Fprintln(w, "size\tmissing\tlost\tdirection\thandle\t  file")
	}
	incomplete := 0
	for i := range entries {
		e := &entries[i]
		gaps := uint64(0)
		for _, g := range e.Missing {
			gaps += g.Length
		}
		if e.Lost > 0 {
			incomplete++
		}
		file := e.File
		if safe(e.Name) != e.Name {
			file += fmt.Sprintf("  %q", e.Name)
		}
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\t%s\t  %s\n", e.Size, gaps, e.Lost, e.Direction, handleHash(e.Handle), file)
	}
	w.Flush() // an error shows in out's
	fmt.Fprintf(out, "%s%s\n", count(len(entries), "object"), x.left.words(incomplete, x.spool.dropped))
	return out.Flush()
}

// handleHash is a handle as rdmacap read shows it.
func handleHash(handle string) string {
	content, _ := hex.DecodeString(handle) // it is what settle encoded
	return fmt.Sprintf("0x%08x", crc32.ChecksumIEEE(content))
}

// words says what is not in the objects, and why.
func (l *left) words(incomplete int, dropped uint64) string {
	var b strings.Builder
	say := func(n int, format string, args ...any) {
		if n > 0 {
			fmt.Fprintf(&b, format, args...)
		}
	}
	say(incomplete, ", %d with transferred bytes that are not in the capture", incomplete)
	say(l.unanswered, "\nleft out: %s without a reply in the capture", count(l.unanswered, "READ or WRITE", "READs and WRITEs"))
	say(l.uncalled, "\nleft out: %s whose call is not in the capture", count(l.uncalled, "reply", "replies"))
	say(l.unreadable, "\nleft out: %s that cannot be decoded (cut short, malformed or encrypted)", count(l.unreadable, "call or operation", "calls and operations"))
	say(l.unnamed, "\nleft out: %s of a file whose handle is not in the capture", count(l.unnamed, "READ or WRITE", "READs and WRITEs"))
	say(l.far, "\nleft out: %s beyond byte %d, the largest file that ext4 can hold", count(l.far, "READ or WRITE", "READs and WRITEs"), int64(maxSize))
	say(l.many, "\nleft out: %s beyond %d objects or %d separate ranges", count(l.many, "READ or WRITE", "READs and WRITEs"), maxObjects, maxPieces)
	if dropped > 0 {
		fmt.Fprintf(&b, "\nmissing: %s of chunks that did not fit in memory until their reply came", field.ByteCount(dropped))
	}
	return b.String()
}

// count is a number and what it counts, in the plural unless it is one.
func count(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}
