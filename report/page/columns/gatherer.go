// Package columns makes columns of the list of RPCs: what all rows have of one kind stands
// together, where it compresses well, and a value that all rows of a block share stands once.
//
//	Row ──> Gatherer ──Block──> Coder ──> JSON
//
// Gatherer and Coder may belong to two goroutines.
package columns

// A Gatherer gathers rows into blocks.
type Gatherer struct {
	block  *Block
	free   chan *Block // that were encoded, to be used again
	before sets        // of the last row
	texts  texts
	cut    bool
	first  int // index of the block's first row
}

// NewGatherer returns a Gatherer of which so many blocks may be under way.
func NewGatherer(blocks int) *Gatherer {
	return &Gatherer{block: new(Block), free: make(chan *Block, blocks)}
}

// Next is the index of the next row.
func (g *Gatherer) Next() int { return g.first + len(g.block.list) }

// Add copies a row, and reports whether the block is full: it is to be taken then.
func (g *Gatherer) Add(row *Row) (full bool) {
	if !g.block.addRow(row, &g.before) {
		g.cut = true
	}
	return g.block.ends()
}

// Text is the number of a text for the lists of the row that is added next.
func (g *Gatherer) Text(data []byte) uint64 {
	if len(data) > mostText {
		data, g.cut = data[:mostText], true
	}
	n, text, fresh := g.texts.of(data)
	if fresh {
		g.block.texts = append(g.block.texts, text)
		g.block.textBytes += len(text)
	}
	return n
}

// Cut reports whether a list of a row had more values, or a text more bytes, than are kept.
func (g *Gatherer) Cut() bool { return g.cut }

// Take takes the block, whose first row has an index, and begins another. It is nil if there is
// no row.
func (g *Gatherer) Take() (b *Block, first int) {
	b, first = g.block, g.first
	if len(b.list) == 0 {
		return nil, first
	}
	g.first += len(b.list)
	select {
	case g.block = <-g.free:
	default:
		g.block = &Block{list: make([]Row, 0, RowsInBlock)}
	}
	return b, first
}

// Release takes back a block that was encoded; another goroutine may call it.
func (g *Gatherer) Release(b *Block) {
	b.empty()
	g.free <- b
}
