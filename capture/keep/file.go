package keep

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rdmacap/rdmacap/internal/newfile"
)

// A file is what is written to.
type file interface {
	io.WriteCloser
	Truncate(size int64) error
	Sync() error
}

// fileRights are those of what is made: frames carry what is in files, which is not for
// everybody.
const fileRights fs.FileMode = 0o640

// rights are those of what is made of these frames.
func (o *Options) rights() fs.FileMode {
	if o.Rights == 0 {
		return fileRights
	}
	return fileRights & o.Rights
}

// newFile makes a file that must be new.
func (o *Options) newFile(path string) (file, error) {
	if o.create != nil {
		return o.create(path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND|newfile.NoFollow, o.rights())
	if err != nil {
		return nil, err
	}
	return f, nil
}

// openDir opens a folder into which files can be written, or says why it is none.
func openDir(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, plain(err))
	}
	if info, err := f.Stat(); err != nil || !info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s: is not a directory", dir)
	}
	probe, err := newfile.Create(filepath.Join(dir, "probe"), 0o600)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: nothing can be written there: %w", dir, plain(err))
	}
	probe.Discard()
	return f, nil
}

// plain is the error without the path, which the message has already.
func plain(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Size is a number of bytes for people.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1e6:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
