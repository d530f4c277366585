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
	texts       finding.Digest[string]
	connections []connectionText
	others      int64 // connections that are not among these
	unchecked   []*uncheckedText
	made        bytes.Buffer
	detail      *rows.Text // writes into made, as rows are written
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

// newTexts is for what is printed of findings.
func newTexts() finding.Digest[string] {
	return finding.Digest[string]{Room: mostTexts, Places: mostPlaces}
}

// addFinding takes a finding at the root, which print prints.
func (d *digest) addFinding(f *finding.Finding, place string, print func()) {
	d.texts.Add(f, place, true, func(string) string {
		print()
		_ = d.detail.Flush() // into memory: it cannot fail
		text := d.made.String()
		d.made.Reset()
		return text
	})
}

// leftOut is how many findings had no room.
func (d *digest) leftOut() (n int64) {
	for _, some := range d.texts.LeftOut {
		n += some
	}
	return n
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

// limitation notes what could not be checked of a connection.
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
