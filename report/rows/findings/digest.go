package findings

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
)

// What a digest keeps at most: texts of findings, places of each, connections and what could not
// be checked of them. What is left out is counted.
const (
	mostTexts       = 500
	mostPlaces      = 6
	mostConnections = 20
	mostUnchecked   = 20
)

// A digest is what is printed when all connections are over: findings of all of them, those
// that say the same once, what hurts most first; and what each connection came to. It is text
// already, for a finding holds on to its connection.
type digest struct {
	texts       map[string]*findingText
	leftOut     int64
	connections []connectionText
	others      int64 // connections that are not among these
	unchecked   []*uncheckedText
	made        bytes.Buffer
	detail      *rows.Text // writes into made, as rows are written
}

// A findingText is a finding at the root, with what it explains, and all that say the same.
type findingText struct {
	text     string
	severity finding.Severity
	rank     int
	took     int64
	count    int64
	time     int64
	order    int
	shape    string
	n        int64    // that say the same
	place    string   // of the one that text is of
	places   []string // of the others
}

// A connectionText is what a connection came to.
type connectionText struct {
	worst int
	id    int
	text  string
	tally string
}

// An uncheckedText is what could not be checked of some connections.
type uncheckedText struct {
	finding.Gate
	n   int64
	ids []string
}

// add takes a finding at the root, which print prints.
func (d *digest) add(f *finding.Finding, place string, print func()) {
	shape := shapeOf(f)
	x := d.texts[shape]
	if x == nil {
		if d.texts == nil {
			d.texts = make(map[string]*findingText)
		}
		x = &findingText{order: len(d.texts), shape: shape}
		if len(d.texts) == mostTexts && !d.makeRoom(f) {
			d.leftOut++
			return
		}
		d.texts[shape] = x
	}
	worse := x.n == 0 || f.Took > x.took || f.Took == x.took && f.Count > x.count
	if worse {
		place, x.place = x.place, place
	}
	if x.n > 0 && len(x.places) < mostPlaces {
		x.places = append(x.places, place)
	}
	x.n++
	if !worse {
		return
	}
	x.severity, x.rank, x.took, x.count, x.time = f.Worst(), finding.Worst(f), f.Took, f.Count, f.Time
	print()
	_ = d.detail.Flush() // into memory: it cannot fail
	x.text = d.made.String()
	d.made.Reset()
}

// makeRoom drops the text that hurts least, if f hurts more.
func (d *digest) makeRoom(f *finding.Finding) bool {
	var least *findingText
	for _, x := range d.texts {
		if least == nil || x.compare(least) > 0 {
			least = x
		}
	}
	if cmp.Or(cmp.Compare(f.Worst(), least.severity), cmp.Compare(finding.Worst(f), least.rank)) <= 0 {
		return false
	}
	d.leftOut += least.n
	delete(d.texts, least.shape)
	return true
}

// compare orders texts, what hurts most first.
func (x *findingText) compare(o *findingText) int {
	return cmp.Or(cmp.Compare(o.severity, x.severity), cmp.Compare(o.rank, x.rank), cmp.Compare(o.took, x.took), cmp.Compare(x.time, o.time),
		cmp.Compare(x.order, o.order))
}

// sorted are all texts, what hurts most first.
func (d *digest) sorted() (list []*findingText) {
	for _, x := range d.texts {
		list = append(list, x)
	}
	slices.SortFunc(list, (*findingText).compare)
	return list
}

// shapeOf is what a finding and those that it explains say, without their numbers: what is the
// same in two is said once.
func shapeOf(f *finding.Finding) string {
	var b strings.Builder
	finding.Walk([]*finding.Finding{f}, func(x *finding.Finding) {
		fmt.Fprintf(&b, "%s %d %t %t ", x.ID(), x.Severity, x.Doubt == "", x.Connection == nil)
		digits := false
		for _, r := range x.Message {
			digit := r >= '0' && r <= '9' || digits && strings.ContainsRune("abcdefx.,", r)
			if !digit {
				b.WriteRune(r)
			} else if !digits {
				b.WriteByte('0')
			}
			digits = digit
		}
		b.WriteByte('\n')
	})
	text := b.String()
	for _, unit := range []string{" ns", " µs", " ms"} {
		text = strings.ReplaceAll(text, "0"+unit, "0 s")
	}
	return text
}

// connection takes what a connection came to.
func (d *digest) connection(x connectionText) {
	at, _ := slices.BinarySearchFunc(d.connections, x, func(a, b connectionText) int {
		return cmp.Or(cmp.Compare(b.worst, a.worst), cmp.Compare(a.id, b.id))
	})
	d.connections = slices.Insert(d.connections, at, x)
	if len(d.connections) > mostConnections {
		d.connections = d.connections[:mostConnections]
		d.others++
	}
}

// gate notes what could not be checked of a connection.
func (d *digest) gate(c *dissect.Connection, g finding.Gate) {
	i := slices.IndexFunc(d.unchecked, func(x *uncheckedText) bool { return x.Gate == g })
	if i < 0 {
		if i = len(d.unchecked); i == mostUnchecked {
			return
		}
		d.unchecked = append(d.unchecked, &uncheckedText{Gate: g})
	}
	x := d.unchecked[i]
	x.n++
	if len(x.ids) < mostPlaces {
		x.ids = append(x.ids, fmt.Sprintf("#%d", c.ID))
	}
}

// where names the connections.
func (x *uncheckedText) where() string {
	text := strings.Join(x.ids, ", ")
	if more := x.n - int64(len(x.ids)); more > 0 {
		text += fmt.Sprintf(" and %d"+words.NBSP+"more", more)
	}
	return text
}
