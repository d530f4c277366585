package dataset

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/rdmacap/rdmacap/internal/newfile"
)

const (
	// pageSize is how many bytes of a column are gathered, groupRows and groupSize how many rows
	// and bytes of them have an index of their own. Memory has a page of each column, and the packed
	// pages of a group.
	pageSize  = 32 << 10
	groupRows = 1 << 16
	groupSize = 32 << 20
)

// A table is one file of a dataset.
type table struct {
	name    string
	fields  []*node
	columns int
	file    *newfile.File
	w       *parquet.GenericWriter[any]
	size    atomic.Int64 // bytes of the file, but for those that are gathered
	to      []*parquet.ColumnWriter
	rows    int64
	grouped int // of them in the group
	pending int // bytes of them
}

func newTable(name string, fields []*node) *table {
	return &table{name: name, fields: fields, columns: place(fields, 0, 0, 0)}
}

// create begins the file, below a folder.
func (t *table) create(path string, rights fs.FileMode, program string) (err error) {
	if err = os.MkdirAll(filepath.Dir(path), newfile.Folder(rights)|0o700); err != nil {
		return err
	}
	if t.file, err = newfile.Create(path, rights); err != nil {
		return err
	}
	schema := parquet.NewSchema(t.name, newOrdered(t.fields))
	t.size.Store(0)
	t.grouped, t.pending = 0, 0
	t.w = parquet.NewGenericWriter[any](&counted{t.file, &t.size}, schema, &parquet.WriterConfig{
		CreatedBy: program, PageBufferSize: pageSize, WriteBufferSize: 64 << 10, DataPageVersion: 2,
		ColumnPageBuffers: parquet.NewBufferPool(), Compression: &zstd.Codec{Level: zstd.SpeedFastest, Concurrency: 1},
		Sorting: parquet.SortingConfig{}, MaxRowsPerRowGroup: groupRows,
		SkipPageBounds: documents(t.fields, nil),
	})
	t.to = t.w.ColumnWriters()
	return nil
}

// write adds rows of so many bytes, column by column.
func (t *table) write(values [][]parquet.Value, rows, size int) error {
	if rows == 0 {
		return nil
	}
	for i, column := range values {
		if _, err := t.to[i].WriteRowValues(column); err != nil {
			return err
		}
	}
	t.rows += int64(rows)
	t.grouped += rows
	t.pending += size
	if t.grouped < groupRows && t.pending < groupSize {
		return nil
	}
	t.grouped, t.pending = 0, 0
	return t.w.Flush()
}

// close ends the file. It is there if it is to be, and absent otherwise.
func (t *table) close(commit bool) error {
	file := t.file
	if t.file = nil; file == nil {
		return nil
	}
	if commit {
		if err := t.w.Close(); err != nil {
			file.Discard()
			return err
		}
		return file.Commit(true)
	}
	file.Discard()
	return nil
}

// A counted counts what is written.
type counted struct {
	w io.Writer
	n *atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n.Add(int64(n))
	return n, err
}
