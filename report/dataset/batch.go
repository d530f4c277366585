package dataset

import "github.com/parquet-go/parquet-go"

// batchRows is how many rows a batch has at most.
const batchRows = 64

// A batch has rows in columns. The texts in them are parts of the rows that they were made of.
type batch struct {
	values [][][]parquet.Value // by table and column
	rows   []int               // by table
	sizes  []int               // of the rows in bytes, by table
	count  int                 // of all rows
}

func newBatch(tables []*table) *batch {
	b := &batch{rows: make([]int, len(tables)), sizes: make([]int, len(tables))}
	for _, t := range tables {
		b.values = append(b.values, make([][]parquet.Value, t.columns))
	}
	return b
}

// reset makes room for other rows.
func (b *batch) reset() {
	b.count = 0
	clear(b.rows)
	clear(b.sizes)
	for _, columns := range b.values {
		for i := range columns {
			columns[i] = columns[i][:0]
		}
	}
}
