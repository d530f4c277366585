package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// errRow says that a row is not as package dataset itself writes them.
var errRow = errors.New("a row of a dataset is malformed: this is a bug in rdmacap")

// A decoder puts rows into columns. The texts in these are parts of what it reads.
type decoder struct {
	b   []byte
	to  [][]parquet.Value
	bad bool
}

// fields puts what nodes have. Repeated is the level of the first list on the path of which this is
// another element, 0 if it is the first of the row.
func (d *decoder) fields(list []*node, repeated int) {
	for _, n := range list {
		d.node(n, repeated)
	}
}

func (d *decoder) node(n *node, repeated int) {
	switch n.kind {
	case group:
		if d.byte() == 0 {
			d.absent(n.fields, repeated, n.there-1)
			return
		}
		d.fields(n.fields, repeated)
	case numbers:
		count := d.length(0)
		if count == 0 {
			d.nothing(n, repeated, n.there-1)
		}
		for range count {
			d.put(n, parquet.Int64Value(d.varint()), repeated, n.there)
			repeated = n.lists
		}
	case groups:
		count := d.length(0)
		if count == 0 {
			d.absent(n.fields, repeated, n.there-1)
		}
		for range count {
			d.fields(n.fields, repeated)
			repeated = n.lists
		}
	case truth:
		d.truth(n, repeated)
	default:
		v, ok := d.value(n.kind)
		if n.again {
			if ok {
				d.to[n.column] = d.to[n.column][:len(d.to[n.column])-1]
				d.put(n, v, repeated, n.there)
			}
			return
		}
		if ok {
			d.put(n, v, repeated, n.there)
		} else {
			d.nothing(n, repeated, n.there-1)
		}
	}
}

// absent puts nulls: of the nodes on the path so many are there.
func (d *decoder) absent(list []*node, repeated, there int) {
	for _, n := range list {
		if n.again {
			continue
		}
		if n.kind == group || n.kind == groups {
			d.absent(n.fields, repeated, there)
		} else {
			d.nothing(n, repeated, there)
		}
	}
}

// nothing puts null: of the nodes on the path so many are there.
func (d *decoder) nothing(n *node, repeated, there int) {
	if repeated != 0 {
		d.put(n, parquet.NullValue(), repeated, there)
		return
	}
	d.to[n.column] = append(d.to[n.column], n.nothing[there])
}

// truth puts true, false or nothing. There is none in lists.
func (d *decoder) truth(n *node, repeated int) {
	switch {
	case d.byte() == 0:
		if !n.again {
			d.nothing(n, repeated, n.there-1)
		}
		return
	case n.again:
		d.to[n.column] = d.to[n.column][:len(d.to[n.column])-1]
	}
	v := n.no
	if d.varint() != 0 {
		v = n.yes
	}
	d.to[n.column] = append(d.to[n.column], v)
}

func (d *decoder) put(n *node, v parquet.Value, repeated, there int) {
	d.to[n.column] = append(d.to[n.column], v.Level(repeated, there, n.column))
}

// value is what a column has, if anything.
func (d *decoder) value(k kind) (v parquet.Value, ok bool) {
	switch k {
	case ordinal:
		i := bytes.IndexByte(d.b, ' ')
		if i <= 0 {
			d.bad = d.bad || i < 0
			d.b = d.b[min(len(d.b), 1):]
			return v, false
		}
		id, err := strconv.ParseInt(string(d.b[:i]), 10, 64)
		d.bad = d.bad || err != nil
		d.b = d.b[i+1:]
		return parquet.Int64Value(id), true
	case number, moment:
		if d.byte() == 0 {
			return v, false
		}
		return parquet.Int64Value(d.varint()), true
	}
	n := d.length(1)
	if n == 0 {
		return v, false
	}
	s := d.b[:n-1]
	d.b = d.b[n-1:]
	return parquet.ByteArrayValue(s), true
}

// length is how many bytes or elements follow, which have a byte at least; or as many and some more.
func (d *decoder) length(more int) int {
	n := d.uvarint()
	if n > uint64(len(d.b)+more) {
		d.b, d.bad = nil, true
		return 0
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.bad = true
		return 0
	}
	c := d.b[0]
	d.b = d.b[1:]
	return c
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	d.count(n)
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	d.count(n)
	return v
}

func (d *decoder) count(n int) {
	if n <= 0 {
		n, d.bad = len(d.b), true
	}
	d.b = d.b[n:]
}
