// Package pages makes a page of package report/html about captures.
package pages

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/html"
)

// A Made is a page that was made, if any of the captures could be used: Page.Ready says so.
type Made struct {
	Page *html.Page
	// Size is how many bytes it has.
	Size int64
	// Read is what came of the captures, ReadErr what kept it from being read on.
	Read    pipeline.Result
	ReadErr error
}

// A Place is where a page goes.
type Place struct {
	// Dir is where what is only needed until it is written is put, "" for the folder of
	// temporary files.
	Dir string
	// Before is called between reading and writing, with what came of the captures and what
	// kept them from being read on: who reads the page may leave, and end the process. Nil if
	// nobody asks before Make returns.
	Before func(r pipeline.Result, err error)
	// Write has it written, and returns its size in bytes.
	Write func(do func(io.Writer) error) (size int64, err error)
}

// Make writes a page about captures. Notes are told like what was wrong with reading them. An
// error is one of writing; what came of reading is in m, and told by Place.Before.
func Make(ctx context.Context, files pipeline.Files, place Place, o html.Options, in pipeline.Options, notes []error) (m Made, err error) {
	spool, err := newScratch(place.Dir)
	if err != nil {
		return m, err
	}
	defer spool.remove()
	m.Page = html.New(spool, o)
	if err := in.Bindings.Ask(m.Page.Keys()...); err != nil {
		return m, err
	}
	in.Units, in.KeepBytes = true, true
	check := m.Page.Check()
	in.Part, in.Parted, in.PauseBy = m.Page.Part, true, check.PauseBy
	in.Over = func(problems []error) { check.Over(slices.Concat(notes, problems)) }
	m.Read, m.ReadErr = files.Run(ctx, check, in)
	if place.Before != nil {
		place.Before(m.Read, m.ReadErr)
	}
	if m.Page.Ready() {
		m.Size, err = place.Write(m.Page.Write)
	}
	return m, err
}

// scratch is a file for what is only needed until the page is written.
type scratch struct{ *os.File }

func newScratch(dir string) (scratch, error) {
	f, err := os.CreateTemp(dir, ".rdmacap-report-*")
	if err != nil {
		return scratch{}, fmt.Errorf("cannot create a temporary file for the data of the page: %w", err)
	}
	_ = os.Remove(f.Name()) // where that works while it is open, nothing is left behind whatever happens
	return scratch{f}, nil
}

func (f scratch) remove() {
	f.Close()
	_ = os.Remove(f.Name()) // where it could not be done before
}
