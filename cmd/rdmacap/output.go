package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/newfile"
	"github.com/rdmacap/rdmacap/internal/pipeline"
)

// outputOptions are the flags of commands that write one file.
type outputOptions struct {
	output string
	force  bool
}

func (o *outputOptions) register(f *pflag.FlagSet, what string) {
	f.StringVarP(&o.output, "output", "o", "", what+"; - for standard output")
	f.BoolVar(&o.force, "force", false, "replace the file if it exists, once the new one is complete")
}

// An output is a file that is replaced when the new one is whole, or standard output.
type output struct {
	name string // as the user gave it
	path string // of the file, which is no symbolic link; "" for standard output
	out  io.Writer
	// device says that it is no regular file: it is written as it is.
	device  bool
	replace bool        // a file that exists by then
	rights  fs.FileMode // of the new file, before the umask
}

// open is the output, which must not be one of the captures, nor be more readable.
func (o *outputOptions) open(s streams, captures []string) (output, error) {
	name := o.output
	if name == "-" {
		return output{name: name, out: s.out}, nil
	}
	file := output{name: name, path: name, replace: o.force, rights: pipeline.Files{Names: captures, Stdin: s.in}.Rights()}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		file.path = real
	}
	there, err := os.Stat(file.path)
	if errors.Is(err, fs.ErrNotExist) {
		if dir, err := os.Stat(file.dir()); err != nil {
			return file, fmt.Errorf("%s: %w", name, plainError(err))
		} else if !dir.IsDir() {
			return file, fmt.Errorf("%s: %s is not a directory", name, file.dir())
		}
		return file, nil
	}
	if err != nil {
		return file, fmt.Errorf("%s: %w", name, plainError(err))
	}
	if there.IsDir() {
		return file, fmt.Errorf("%s is a directory", name)
	}
	for _, c := range captures {
		if info, err := os.Stat(c); err == nil && os.SameFile(info, there) {
			return file, fmt.Errorf("%s is one of the captures", name)
		}
	}
	file.device = !there.Mode().IsRegular()
	if !file.device && !o.force {
		return file, fmt.Errorf("%s exists: --force replaces it", name)
	}
	return file, nil
}

func (o *output) standard() bool { return o.path == "" }

// called is what a message calls it.
func (o *output) called() string {
	if o.standard() {
		return "standard output"
	}
	return field.Visible(o.name)
}

// dir is where files beside it go, "" for that of temporary files.
func (o *output) dir() string {
	if o.path == "" || o.device {
		return ""
	}
	return filepath.Dir(o.path)
}

// write has it written, and returns its size.
func (o *output) write(do func(io.Writer) error) (size int64, err error) {
	switch {
	case o.path == "":
		size, err = writeTo(o.out, do)
		if err != nil {
			return size, writeError(err)
		}
		return size, nil
	case o.device:
		f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", o.name, plainError(err))
		}
		if size, err = writeTo(f, do); err == nil {
			err = f.Close()
		}
		if err != nil {
			return size, fmt.Errorf("%s: %w", o.name, plainError(err))
		}
		return size, nil
	}
	f, err := newfile.Create(o.path, o.rights)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", o.name, plainError(err))
	}
	if size, err = writeTo(f, do); err != nil {
		f.Discard() // it is not whole
	} else if err = f.Commit(o.replace); errors.Is(err, fs.ErrExist) {
		return size, fmt.Errorf("%s was created meanwhile: --force replaces it", o.name)
	}
	if err != nil {
		return size, fmt.Errorf("%s: %w", o.name, plainError(err))
	}
	return size, nil
}

func writeTo(w io.Writer, do func(io.Writer) error) (size int64, err error) {
	counted := &counter{w: w}
	b := bufio.NewWriterSize(counted, 64<<10)
	if err = do(b); err == nil {
		err = b.Flush()
	}
	return counted.n, err
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
