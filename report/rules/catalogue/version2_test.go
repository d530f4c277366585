package catalogue_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// ofVersion1 are the samples of which less, or something else, is reported in version 2.
func ofVersion1() map[string]string {
	const (
		legacy  = "there are no old servers of version 2"
		codes   = "only RDMA2_ERR_CANT_REPLY is about the room"
		binding = "RFC 8267 is of version 1"
	)
	return map[string]string{
		"DDP-002 a READ_PLUS":                                                    binding,
		"DDP-008 the server sent no private data":                                legacy,
		"DDP-011 a server without private data rounds up":                        legacy,
		"RPC-005 GARBAGE_ARGS in the Reply chunk":                                "that it must be an RDMA_MSG is said of version 1",
		"RPC-006 neither call nor reply":                                         "the direction says that it is a call, which waits for an answer",
		"ULB-006 data in a Write chunk":                                          binding,
		"ULB-011 READDIR may return more than the Reply chunk holds":             codes,
		"ULB-011 an ACL without a Reply chunk":                                   codes,
		"ULB-012 GARBAGE_ARGS for a REMOVE, which is retried with a Reply chunk": codes,
	}
}

// TestChunksInVersion2 plays the samples of the rules about chunks, bindings and RPCs in
// version 2 too, in which the chunk lists mean the same: the same must be reported, and that
// is in doubt for the same reasons.
func TestChunksInVersion2(t *testing.T) {
	t.Parallel()
	about := regexp.MustCompile(`^(HDR-0(06|07|08|09|10|16)|DDP-|ULB-|RPC-|SEC-)`)
	all, differ := catalogue.All(), ofVersion1()
	samples := 0
	for _, r := range all {
		if !about.MatchString(r.ID) {
			continue
		}
		for _, s := range r.AllSamples() {
			text, ok := inVersion2(s.Text())
			if !ok {
				continue
			}
			samples++
			over := scene.RoCE
			if s.Over == rules.IWARP {
				over = scene.IWARP
			}
			one := judged(about, ruletest.Check(t, all, ruletest.Frames(t, s.Text(), over)))
			two := judged(about, ruletest.Check(t, all, ruletest.Frames(t, text, over)))
			name := r.ID + " " + s.Name
			_, exempt := differ[name]
			if delete(differ, name); slices.Equal(one, two) == exempt {
				t.Errorf("%s: found %q, in version 2 %q", name, one, two)
			}
		}
	}
	if samples < 300 {
		t.Errorf("only %d samples can be played in version 2", samples)
	}
	for name := range differ {
		t.Errorf("no such sample: %s", name)
	}
}

// inVersion2 is a scene with all its messages in version 2; not ok if it reports the
// version itself, or of words of the header by their bytes or by values that version 2
// has not.
func inVersion2(text string) (two string, ok bool) {
	stays := regexp.MustCompile(`version|vers |MSGP|DONE|proc \d|(?m)^\s*(send|(set|insert|delete) -?\d)`)
	connect := regexp.MustCompile(`^connect( [A-Z]\b)?(.*)$`)
	if stays.MatchString(text) || !strings.Contains(text, "connect") {
		return "", false
	}
	var lines []string
	agree := ""
	n := 9000
	for _, line := range append(strings.Split(text, "\n"), "") {
		if line == strings.TrimLeft(line, " \t") && agree != "" { // after the options of connect
			lines, agree = append(lines, agree), ""
		}
		if part := connect.FindStringSubmatch(line); part != nil {
			n++
			line = "connect" + part[1] + " version=2" + part[2]
			agree = fmt.Sprintf("call %d NFS3 NULL\nreply %d", n, n)
		}
		lines = append(lines, line)
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "ERR_CHUNK", "BAD_XDR"), true
}

// judged are the findings of the rules that are asked about, as lines.
func judged(about *regexp.Regexp, list []*finding.Finding) (lines []string) {
	for _, f := range list {
		if about.MatchString(f.ID()) {
			lines = append(lines, fmt.Sprintf("%s %s [%s]", f.Severity, f.ID(), f.Doubt))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
