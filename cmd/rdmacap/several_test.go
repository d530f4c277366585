package main

import (
	"regexp"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// TestFramesOfSeveral holds that with several captures each frame is named with its
// file, in one form: in findings, exhibits, ladders and links.
func TestFramesOfSeveral(t *testing.T) {
	files := []string{sample("version2-roce"), sample("version2-iwarp")}
	names := regexp.MustCompile(`\b[Ff]rames?[\x{a0} ](\d+)(\.\d+)?( of file| to (\d+)(\.\d+)?)?`)
	hold := func(where, text string) (n int) {
		t.Helper()
		for _, m := range names.FindAllStringSubmatch(text, -1) {
			n++
			if m[2] == "" || m[3] == " of file" || m[4] != "" && m[5] == "" {
				t.Errorf("%s: %q in %.200q", where, m[0], text)
			}
		}
		return n
	}
	p := reported(t, files...)
	titles, findings := 0, 0
	for _, x := range p.Evidence(t) {
		for _, e := range x.Exhibits {
			titles += hold("an exhibit", e.Title)
		}
	}
	for _, a := range p.Find("article", "finding") {
		findings += hold("a finding", blocks.Text(a))
	}
	read := hold("read -V", must(t, append([]string{"read", "-q", "-V"}, files...)...)) +
		hold("read --level frame -V", must(t, append([]string{"read", "-q", "-V", "--level", "frame"}, files...)...))
	check := hold("check", rdmacap(append([]string{"check"}, files...)...).out)
	if titles < 10 || findings < 10 || read < 50 || check < 10 {
		t.Errorf("%d titles, %d findings, %d lines of read and %d of check name frames", titles, findings, read, check)
	}
}
