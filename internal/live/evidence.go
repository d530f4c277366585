package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/newfile"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/internal/pipeline/pages"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/html"
)

// mostPage is how many bytes the page of an excerpt may have.
const mostPage = 20_000_000

// Evidence makes of the frames around a finding an annotated capture and a page.
type Evidence struct {
	// Check says which rules look at the frames, and how.
	Check check.Options
	// Version is that of rdmacap.
	Version string
	// Input says how frames are read; its Bindings and what comes of them are not used.
	Input pipeline.Options
	// Bindings makes those of the programs that are looked into.
	Bindings func() (*dissect.Bindings, error)
	// Names are those of interfaces, or captures, by keep.Trigger.File.
	Names []string
	// Made is the time that a page says it was made at.
	Made func() time.Time
}

// Make is a keep.Evidence.Make.
func (e *Evidence) Make(x *keep.Clip) error {
	again, err := e.annotate(x)
	if err == nil {
		err = e.report(x, again)
	}
	return err
}

// found is what was found live.
func (e *Evidence) found(o *keep.Trigger) string {
	where := ""
	if o.Frame > 0 {
		where = fmt.Sprintf(" in frame %d of %s", o.Frame, pipeline.FileName(e.Names[o.File]))
	}
	if o.Connection > 0 {
		where += fmt.Sprintf(" on connection %d", o.Connection)
	}
	return fmt.Sprintf("%s %s: %s; found by rdmacap live%s at %s", o.Rule, o.Severity, o.Message, where,
		time.Unix(0, o.Time).UTC().Format(time.RFC3339Nano))
}

// reason is the comment on the capture that says why there is one.
func (e *Evidence) reason(x *keep.Clip) string {
	var b strings.Builder
	b.WriteString("rdmacap live kept these frames because of:")
	for i := range x.Triggers {
		b.WriteString("\n" + e.found(&x.Triggers[i]))
	}
	if x.Others > 0 {
		fmt.Fprintf(&b, "\nand %d more", x.Others)
	}
	for _, s := range x.Missing {
		b.WriteString("\nnote: " + s)
	}
	return b.String()
}

// report writes the page about the annotated capture. Again says that the rules say of these
// frames alone what they reported live.
func (e *Evidence) report(x *keep.Clip, again bool) error {
	bindings, err := e.Bindings()
	if err != nil {
		return err
	}
	name, first := x.Name+".pcapng", &x.Triggers[0]
	options := html.Options{
		Options: e.Check, Version: e.Version, MaxSize: mostPage, Link: e.Input.Link, Made: e.Made(),
		Title:   fmt.Sprintf("%s at %s, kept by rdmacap live", first.Rule, time.Unix(0, first.Time).UTC().Format(time.RFC3339)),
		Command: "rdmacap read " + name, // of letters, digits and hyphens
	}
	options.Files, options.Names = 1, []string{name}
	if options.Sets, err = query.NewSets(bindings.Own()...); err != nil {
		return err
	}
	var notes []error
	if !again {
		notes = append(notes, errors.New("these frames do not show everything that led to the finding of rdmacap live: "+e.found(first)))
	}
	for _, s := range x.Missing {
		notes = append(notes, errors.New(s))
	}
	input := e.Input
	input.Bindings = bindings
	place := pages.Place{Dir: x.Dir, Write: func(do func(io.Writer) error) (int64, error) {
		return 0, writeNew(filepath.Join(x.Dir, x.Name+".html"), x.Rights, do)
	}}
	made, err := pages.Make(context.Background(), pipeline.Files{Names: []string{filepath.Join(x.Dir, name)}}, place, options, input, notes)
	if err == nil && !made.Page.Ready() {
		err = unread(made.Read, made.ReadErr)
	}
	return err
}

// writeNew has a new file written, in a folder that gets its name when what is in it is on the
// disk.
func writeNew(path string, rights fs.FileMode, do func(io.Writer) error) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|newfile.NoFollow, rights)
	if err != nil {
		return err
	}
	return errors.Join(do(out), out.Close())
}

// unread is what kept captures from being read whole, nil if nothing did. One that ends in the
// middle of a record is whole up to there.
func unread(r pipeline.Result, err error) error {
	faults := append([]error{err}, r.Unopened...)
	for _, f := range r.Faults {
		if !errors.Is(f, io.ErrUnexpectedEOF) {
			faults = append(faults, f)
		}
	}
	return errors.Join(faults...)
}
