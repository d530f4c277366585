package columns

// RowsInBlock is how many rows a block has.
const RowsInBlock = 2048

// A Block is some rows, one behind the other.
type Block struct {
	list []Row
	// details are what the rows' Detail are parts of.
	details []byte
	// changes are the sets that are not those of the row before: for each row how many,
	// and of each its column, its length and its values.
	changes []uint64
	lists   []lists
	values  int // of all lists
	// texts are those that lists of this block are the first to have.
	texts     []string
	textBytes int
}

// addRow copies a row: what it refers to may change. It reports whether all of its lists is
// kept.
func (r *Block) addRow(row *Row, before *sets) (whole bool) {
	r.list = append(r.list, *row)
	c := &r.list[len(r.list)-1]
	c.Detail, c.Sets, c.Lists = nil, nil, nil
	c.detail = len(row.Detail)
	r.details = append(r.details, row.Detail...)
	count := len(r.changes)
	r.changes = append(r.changes, 0)
	for i, s := range row.Sets {
		if before.same(i, s) {
			continue
		}
		r.changes[count]++
		r.changes = append(append(r.changes, uint64(i), uint64(len(s))), s...)
	}
	return r.addLists(row.Lists)
}

// empty makes room for another block.
func (r *Block) empty() {
	clear(r.list)
	r.list, r.details, r.changes = r.list[:0], r.details[:0], r.changes[:0]
	for i := range r.lists {
		r.lists[i].empty()
	}
	clear(r.texts)
	r.texts, r.textBytes, r.values = r.texts[:0], 0, 0
}

// About is how long the JSON will be.
func (r *Block) About() int64 {
	return int64(len(r.details) + 120*len(r.list) + 4*r.values + r.textBytes)
}

// Len is how many rows there are.
func (r *Block) Len() int { return len(r.list) }

const (
	// MostInList is how many values of a list are kept.
	MostInList = 1024
	// mostText is how many bytes of a text are kept.
	mostText = 1024
	// A block ends before its time when it has so many values, or bytes of new texts.
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
func (r *Block) addLists(all [][]uint64) (whole bool) {
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
func (r *Block) ends() bool {
	return len(r.list) >= RowsInBlock || r.values >= valuesInBlock || r.textBytes >= textsInBlock
}
