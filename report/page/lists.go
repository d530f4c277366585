package page

import "strconv"

// A List is a column whose cells are lists of values, in the rows' own order. Other than
// sets they are written where they are, so that there may be any number of different
// ones.
type List struct {
	Name string
	// Differences says that a value is best written as what it has more than the one
	// before.
	Differences bool
}

const (
	// MostInList is how many values of a list are kept.
	MostInList = 1024
	// mostText is how many octets of a text are kept.
	mostText = 1024
	// A block ends before its time when it has so many values, or octets of new texts.
	valuesInBlock, textsInBlock = 64 << 10, 256 << 10
)

// lists are what a column of lists has in a block: how many values each row has, and
// all of them.
type lists struct {
	counts []int64
	values []uint64
}

func (l *lists) empty() { l.counts, l.values = l.counts[:0], l.values[:0] }

// addLists copies the lists of a row, and reports whether they are all there.
func (r *rows) addLists(all [][]uint64) (whole bool) {
	for len(r.lists) < len(all) {
		r.lists = append(r.lists, lists{})
	}
	whole = true
	for i, list := range all {
		if len(list) > MostInList {
			list, whole = list[:MostInList], false
		}
		c := &r.lists[i]
		c.counts = append(c.counts, int64(len(list)))
		c.values = append(c.values, list...)
		r.values += len(list)
	}
	return whole
}

// ends reports whether the block is to end with the row that was added last.
func (r *rows) ends() bool {
	return len(r.list) >= rowsInBlock || r.values >= valuesInBlock || r.textOctets >= textsInBlock
}

// appendLists appends the columns of lists that have values, and the texts that are new
// in this block.
func (r *rows) appendLists(j *buffer, names []List) {
	j.name("lists")
	j.open('{')
	for i := range r.lists {
		if l := &r.lists[i]; len(l.values) > 0 {
			l.appendTo(j, names[i])
		}
	}
	j.close('}')
	j.name("texts")
	j.open('[')
	for _, s := range r.texts {
		j.octets(s)
	}
	j.close(']')
}

func (l *lists) appendTo(j *buffer, list List) {
	j.name(list.Name)
	j.open('{')
	counts := column{"n", l.counts}
	counts.appendTo(j)
	if list.Differences {
		j.name("d")
		j.open('[')
		before := uint64(0)
		for _, v := range l.values {
			j.difference(int64(v - before))
			before = v
		}
	} else {
		j.name("v")
		j.open('[')
		for _, v := range l.values {
			j.whole(v)
		}
	}
	j.close(']')
	j.close('}')
}

// difference appends a number as whole does. One of 64 bits may have gone around.
func (j *buffer) difference(v int64) {
	if v >= 0 {
		j.whole(uint64(v))
		return
	}
	j.sep()
	big := v < -exact
	if big {
		j.b = append(j.b, '"')
	}
	j.b = append(j.b, '-')
	j.b = strconv.AppendUint(j.b, uint64(-v), 10)
	if big {
		j.b = append(j.b, '"')
	}
}

// octets appends text that a filter compares octet by octet, and so as it is: as a string
// if all of it is printable ASCII, else as a list with a string of hexadecimal digits.
func (j *buffer) octets(s string) {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			j.open('[')
			j.hex([]byte(s))
			j.close(']')
			return
		}
	}
	j.str(s)
}
