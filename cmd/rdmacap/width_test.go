package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/words"
)

// A screen is a terminal as somebody looks at it, with so many columns.
type screen struct {
	bytes.Buffer
	columns int
}

func (s *screen) Columns() int { return s.columns }

// on runs a command line whose output is a terminal with so many columns.
func on(t *testing.T, columns int, args ...string) string {
	t.Helper()
	out := &screen{columns: columns}
	var told bytes.Buffer
	if status := run(context.Background(), args, streams{in: strings.NewReader(""), out: out, err: &told}); status != exitDone && status != exitFindings {
		t.Fatalf("rdmacap %s: status %d, %s", strings.Join(args, " "), status, told.String())
	}
	return timeless(out.String())
}

// TestWidths holds what commands print on terminals of three widths: no line is wider.
func TestWidths(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{80, 120, 200} {
		var all strings.Builder
		for _, c := range []struct {
			args  string
			lines int // that are kept, of the beginning and of the end
		}{
			{"read -q rxe-krb", 10},
			{"read -q siw-cb", 8},
			{"read -q rxe-ipv6", 6},
			{"read -q --sort latency --limit 5 rxe-basic", 8},
			{"read -q --level message rxe-thresh", 10},
			{"read -q --level message version2-roce", 6},
			{"read -q --level frame rxe-loss", 12},
			{"read -q --level frame siw-loss", 12},
			{"stats -q rxe-krb", 14},
			{"stats -q siw-perftest", 8},
			{"stats -q rxe-loss", 14},
			{"check -q rxe-krb", 30},
			{"check -q --all rxe-loss", 20},
			{"check -q --brief rxe-loss", 6},
			{"live -q --format text rxe-cb", 8},
			{"rules", 12},
			{"rules TRANS-001", 12},
			{"follow rxe-cb 0x58671161", 22},
		} {
			args := strings.Fields(c.args)
			for i, word := range args {
				if _, err := os.Stat(sample(word)); err == nil {
					args[i] = sample(word)
				}
			}
			if args[0] == "live" {
				args = slices.Insert(args, len(args)-1, "-r")
			}
			out := on(t, columns, args...)
			for line := range strings.Lines(out) {
				if line = strings.TrimSuffix(line, "\n"); words.Columns(line) > columns {
					t.Errorf("rdmacap %s: %d columns of %d: %s", c.args, words.Columns(line), columns, line)
				}
			}
			fmt.Fprintf(&all, "$ rdmacap %s\n%s\n", c.args, ends(out, c.lines))
		}
		golden(t, fmt.Sprintf("width-%d.txt", columns), all.String())
	}
}
