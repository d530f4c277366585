//go:build linux

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMedian(t *testing.T) {
	for want, list := range map[float64][]float64{3: {9, 3, 1}, 2.5: {4, 1, 2, 3}, 7: {7}} {
		if got := median(list); got != want {
			t.Errorf("the median of %v is %g, not %g", list, got, want)
		}
	}
}

func measured() []*command {
	slow := &command{name: statistics, seconds: []float64{1.5, 1, 2.25}, cpu: []float64{1, 1, 1}, peak: 229.4}
	slow.against = slow
	fast := &command{name: check, seconds: []float64{0.125, 0.15, 0.2}, cpu: []float64{0.21, 0.25, 0.22}, peak: 40, against: slow}
	return []*command{slow, fast}
}

func TestTable(t *testing.T) {
	want := "| `tshark -q -z io,stat,0 -r` | 1.000 | 1.500 | 1.000 | 200 | 1.0 | 1.0 | 229 |\n" +
		"| `rdmacap check` | 0.125 | 0.150 | 0.220 | 2000 | 8.0 | 10.0 | 40 |\n"
	got := table(measured(), 300)
	if head, rows, _ := strings.Cut(got, "--: |\n"); rows != want || strings.Count(head, "|") != 17 {
		t.Errorf("the table is\n%s\nand its rows should be\n%s", got, want)
	}
}

func TestClaims(t *testing.T) {
	for _, test := range []struct {
		claim claim
		holds bool
		words string
	}{
		{claim{command: check, than: statistics, least: 9.5}, true, "10.0 times as fast"},
		{claim{command: check, than: statistics, least: 10.5}, false, "MISSED"},
		{claim{command: check, most: 40}, true, "40 MiB"},
		{claim{command: check, most: 39}, false, "MISSED"},
	} {
		if text, holds := test.claim.check(measured()); holds != test.holds || !strings.Contains(text, test.words) {
			t.Errorf("%+v: %q, %t", test.claim, text, holds)
		}
	}
	all := new(bench).beside("FILE")
	for _, c := range claims {
		if find(all, c.command) == nil || c.than != "" && find(all, c.than) == nil || c.least == 0 && c.most == 0 {
			t.Errorf("%+v claims nothing that is measured", c)
		}
	}
}

func TestRepeat(t *testing.T) {
	b := &bench{root: filepath.Join("..", ".."), folder: t.TempDir()}
	path, frames, err := b.repeat(samples[0], 3, 60)
	if err != nil || frames != 180 {
		t.Fatalf("%d frames, %v", frames, err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end, n := records(file, 60)
	if whole, all := records(file, 0); n != 60 || all != 180 || whole != len(file) {
		t.Errorf("%d frames to byte %d of %d, %d in all", n, end, len(file), all)
	}
	if one := file[fileHeader:end]; !bytes.Equal(file[fileHeader:], bytes.Repeat(one, 3)) {
		t.Error("the records do not come three times")
	}
}

func TestDraw(t *testing.T) {
	drawn := draw([]line{{name: "check", x: []float64{0, 1}, y: []float64{0, 4}, colour: "red"}}, "frames")
	if !strings.Contains(drawn, `points="50.0,280.0 470.0,20.0"`) {
		t.Errorf("the line does not go from corner to corner:\n%s", drawn)
	}
	for d := xml.NewDecoder(strings.NewReader(drawn)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
