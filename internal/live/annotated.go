package live

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/annotate"
	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/record"
)

// annotate writes the annotated capture. It reports whether the rules say of these frames
// alone what they reported live.
func (e *Evidence) annotate(x *keep.Clip) (again bool, err error) {
	bindings, err := e.Bindings()
	if err != nil {
		return false, err
	}
	in, err := os.Open(x.Capture)
	if err != nil {
		return false, err
	}
	defer in.Close() // read only: nothing is lost
	comments := record.NewComments()
	found := check.New(draft.Form{Form: comments}, e.Check)
	input := e.Input.Checked(found)
	input.Bindings = bindings
	input.Workers = 1 // the others are for what is captured
	if err := unread(pipeline.Files{Names: []string{x.Capture}}.Run(context.Background(), found, input)); err != nil {
		return false, err
	}
	frames := comments.Frames()
	if again, err = e.mark(x, in, frames); err != nil {
		return false, err
	}
	return again, writeNew(filepath.Join(x.Dir, x.Name+".pcapng"), x.Rights, func(out io.Writer) error {
		_, err := annotate.Copy(out, in, x.Name, annotate.Comments{File: []string{e.reason(x), comments.File()}, Frames: frames})
		return err
	})
}

// mark adds the findings that the rules do not say of these frames alone to the frames that
// showed them live. It reports whether there is no such one.
func (e *Evidence) mark(x *keep.Clip, in io.ReaderAt, frames map[int64][]string) (again bool, err error) {
	at := make(map[int64][]*keep.Trigger) // by their times
	for i := range x.Triggers {
		o := &x.Triggers[i]
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
			again = again || same && o == &x.Triggers[0]
			if !same {
				frames[f.Number] = append(frames[f.Number], e.found(o))
			}
		}
	}
	return again, nil
}
