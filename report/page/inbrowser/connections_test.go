package inbrowser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// TestConnectionsKeepTheirPlaces holds that each of 240 connections has its place in a page, whole where there is room;
// where there is not, the ends and the count of findings are there, and the page says of how many there is no more.
func TestConnectionsKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	path := manyRPCs(t, 240, 10)
	for _, test := range []struct {
		size  string
		bytes int64
		whole bool
	}{{"20MB", 20e6, true}, {"1MB", 1e6, false}} {
		out := filepath.Join(t.TempDir(), "out.html")
		must(t, "report", "-q", "--max-size", test.size, "-o", out, path)
		info, err := os.Stat(out)
		if err != nil {
			t.Fatal(err)
		}
		p := blocks.Read(t, out)
		sections := p.Find("section", "connection")
		short := 0
		for _, s := range sections {
			if strings.Contains(blocks.Text(s), "The rest did not fit in the page.") {
				short++
			}
		}
		if len(sections) != 240 || (short == 0) != test.whole || info.Size() > test.bytes {
			t.Errorf("--max-size %s: %d connections are there, %d of them in short, in %d bytes", test.size, len(sections), short, info.Size())
		}
		t.Logf("--max-size %s: %d bytes, %d connections in short", test.size, info.Size(), short)
	}
}
