package dataset

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestGroups holds that memory has no more of a file than a group of limited size, and not the least
// and the greatest JSON of each page.
func TestGroups(t *testing.T) {
	table := newTable("large", []*node{
		{name: "outer", kind: document},
		{name: "of", kind: group, fields: []*node{{name: "inner", kind: document}, {name: "name", kind: text}}},
	})
	path := filepath.Join(t.TempDir(), "large.parquet")
	if err := table.create(path, 0o600, "test"); err != nil {
		t.Fatal(err)
	}
	const size, rows = 1 << 20, 2*groupSize>>20 + 1
	json := bytes.Repeat([]byte{'1'}, size)
	columns := [][]parquet.Value{
		{parquet.ByteArrayValue(json).Level(0, 1, 0)},
		{parquet.ByteArrayValue([]byte("2")).Level(0, 2, 1)},
		{parquet.ByteArrayValue([]byte("n")).Level(0, 2, 2)},
	}
	for range rows {
		if err := table.write(columns, 1, size); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.close(true); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Metadata().RowGroups); n != 3 || f.NumRows() != rows {
		t.Errorf("%d groups of %d rows, want 3 of %d", n, f.NumRows(), rows)
	}
	for _, group := range f.Metadata().RowGroups {
		for i, bounded := range []bool{false, false, true} {
			c := group.Columns[i].MetaData
			if got := len(c.Statistics.MinValue) > 0 || len(c.Statistics.MaxValue) > 0; got != bounded {
				t.Errorf("column %v has bounds: %v", c.PathInSchema, got)
			}
		}
	}
}
