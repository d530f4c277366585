package anonymize

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/internal/newfile"
	"github.com/rdmacap/rdmacap/internal/textfile"
)

// A KeyFile is a file with a key, and after it a line for each thing that was replaced with it.
type KeyFile struct {
	Key   Key
	path  string
	lines []string
	// New says that there was no such file.
	New bool
}

const (
	keyTitle   = "rdmacap anonymize key 1: anyone who has this file can undo the replacement"
	keyWord    = "key "
	maxKeyFile = 256 << 20
)

// Path is its name.
func (f *KeyFile) Path() string { return f.path }

// OpenKeyFile reads a file, or makes a random key if there is none: Save writes it.
func OpenKeyFile(path string) (*KeyFile, error) {
	f := &KeyFile{path: path}
	text, err := textfile.Read(path, maxKeyFile)
	if errors.Is(err, fs.ErrNotExist) {
		f.Key, f.New = NewKey(), true
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	title, rest, _ := strings.Cut(text, "\n")
	line, rest, _ := strings.Cut(rest, "\n")
	word, is := strings.CutPrefix(line, keyWord)
	b, err := hex.DecodeString(word)
	if title != keyTitle || !is || err != nil || len(b) != len(f.Key) {
		return nil, fmt.Errorf("%s is not a key of rdmacap cut --anonymize", path)
	}
	f.Key = Key(b)
	for line := range strings.Lines(rest) {
		f.lines = append(f.lines, strings.TrimSuffix(line, "\n"))
	}
	return f, nil
}

// Save writes the file, with what a Mapping replaced added to what it had. Only its owner can read it.
func (f *KeyFile) Save(m *Mapping) error {
	lines := append(f.lines, m.table()...)
	slices.Sort(lines)
	lines = slices.Compact(lines)
	w, err := newfile.Create(f.path, 0o600)
	if err != nil {
		return err
	}
	text := []string{keyTitle, keyWord + hex.EncodeToString(f.Key[:])}
	text = append(append(text, lines...), "")
	if _, err := w.WriteString(strings.Join(text, "\n")); err != nil {
		w.Discard()
		return err
	}
	return w.Commit(true)
}
