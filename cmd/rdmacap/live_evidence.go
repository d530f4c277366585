package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/annotate"
	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rules"
)

// An evidenceMaker makes of the frames around a finding what `annotate` and `report` make of a
// capture.
type evidenceMaker struct {
	opts  *liveOptions
	check finding.CheckOptions // rules, what is shown of them, limits
	names []string             // of interfaces, or captures
	list  []*rules.Rule
}

// make implements keep.Evidence.
func (m *evidenceMaker) make(x *keep.Excerpt) error {
	again, err := m.annotate(x)
	if err == nil {
		err = m.report(x, again)
	}
	return err
}

// annotate writes the annotated capture. It reports whether the rules say of these frames
// alone what they said live.
func (m *evidenceMaker) annotate(x *keep.Excerpt) (again bool, err error) {
	bindings, err := bindingsFor(m.opts.bindings, m.list)
	if err != nil {
		return false, err
	}
	in, err := os.Open(x.Capture)
	if err != nil {
		return false, err
	}
	defer in.Close() // read only: nothing is lost
	found, comments := record.NewComments(m.check)
	input := m.opts.pipeline(bindings)
	input.workers = 1 // the others are for what is captured
	input.judge(found)
	if err := unwatched(func(s streams) error { return dissectFiles(context.Background(), s, []string{x.Capture}, found, input) }); err != nil {
		return false, err
	}
	frames := comments.Frames()
	if again, err = m.mark(x, in, frames); err != nil {
		return false, err
	}
	out, err := os.OpenFile(filepath.Join(x.Dir, x.Name+".pcapng"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return false, err
	}
	_, err = annotate.Copy(out, in, x.Name, annotate.Comments{File: []string{m.reason(x), comments.File()}, Frames: frames})
	return again, errors.Join(err, out.Close())
}

// mark adds the findings that the rules do not say of these frames alone to the frames that
// showed them live. It reports whether there is no such one.
func (m *evidenceMaker) mark(x *keep.Excerpt, in io.ReaderAt, frames map[int64][]string) (again bool, err error) {
	at := make(map[int64][]*keep.Occasion) // by their times
	for i := range x.Occasions {
		o := &x.Occasions[i]
		at[o.Time] = append(at[o.Time], o)
	}
	file, err := capture.NewReader(io.NewSectionReader(in, 0, 1<<62), x.Capture, 0)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var f capture.Frame
	for file.Next(&f) == nil {
		list := at[f.Time]
		delete(at, f.Time) // the first frame of that time is meant
		for _, o := range list {
			same := false
			for _, text := range frames[f.Number] {
				same = same || strings.HasPrefix(text, o.Rule+" ")
			}
			again = again || same && o == &x.Occasions[0]
			if !same {
				frames[f.Number] = append(frames[f.Number], m.found(o))
			}
		}
	}
	return again, nil
}

// found is what was found live.
func (m *evidenceMaker) found(o *keep.Occasion) string {
	where := ""
	if o.Frame > 0 {
		where = fmt.Sprintf(" in frame %d of %s", o.Frame, fileName(m.names[o.File]))
	}
	if o.Connection > 0 {
		where += fmt.Sprintf(" on connection %d", o.Connection)
	}
	return fmt.Sprintf("%s %s: %s; found by rdmacap live%s at %s", o.Rule, o.Severity, o.Message, where,
		time.Unix(0, o.Time).UTC().Format(time.RFC3339Nano))
}

// reason is the comment on the capture that says why there is one.
func (m *evidenceMaker) reason(x *keep.Excerpt) string {
	var b strings.Builder
	b.WriteString("rdmacap live kept these frames because of:")
	for i := range x.Occasions {
		b.WriteString("\n" + m.found(&x.Occasions[i]))
	}
	if x.Others > 0 {
		fmt.Fprintf(&b, "\nand %d more", x.Others)
	}
	for _, s := range x.Missing {
		b.WriteString("\nnote: " + s)
	}
	return b.String()
}

// report writes the page.
func (m *evidenceMaker) report(x *keep.Excerpt, again bool) error {
	bindings, err := bindingsFor(m.opts.bindings, m.list)
	if err != nil {
		return err
	}
	o := reportOptions{inputOptions: m.opts.inputOptions, ruleOptions: m.opts.ruleOptions, maxSize: "20MB", bindings: m.opts.bindings}
	name := x.Name + ".pcapng"
	first := &x.Occasions[0]
	o.title = fmt.Sprintf("%s at %s, kept by rdmacap live", first.Rule, time.Unix(0, first.Time).UTC().Format(time.RFC3339))
	options, err := o.options(m.list, []string{name})
	if err != nil {
		return err
	}
	if options.Sets, err = query.NewSets(bindings.Own()...); err != nil {
		return err
	}
	place := outputOptions{output: filepath.Join(x.Dir, x.Name+".html"), force: true}
	out, err := place.open(io.Discard, nil)
	if err != nil {
		return err
	}
	var notes []error
	if !again {
		notes = append(notes, errors.New("the frames here do not show all that it took to find what rdmacap live found: "+m.found(first)))
	}
	for _, s := range x.Missing {
		notes = append(notes, errors.New(s))
	}
	return unwatched(func(s streams) error {
		page, _, unusable, err := makePage(context.Background(), s, []string{filepath.Join(x.Dir, name)}, out, options, o.pipeline(bindings), notes)
		if err == nil && !page.Ready() {
			err = unusable
		}
		return err
	})
}

// unwatched does something that would write for people, and returns that as its error if
// there is one.
func unwatched(do func(s streams) error) error {
	var diag bytes.Buffer
	err := do(streams{out: io.Discard, err: &diag})
	if _, told := errors.AsType[*statusError](err); told {
		return errors.New(strings.TrimSpace(diag.String()))
	}
	return err
}
