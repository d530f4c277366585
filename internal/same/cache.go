package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A cache keeps the outcomes of one build in a folder, so that it need not run again
// when another build is compared with it. Each outcome is a file: the sum in hex, a line
// feed, and the outcome as zstd, which is read only where the sums differ.
type cache struct {
	folder string // "" for none
}

// newCache has a folder of its own for each build.
func newCache(folder, binary string) (cache, error) {
	if folder == "" {
		return cache{}, nil
	}
	sum, err := sumOf(binary)
	if err != nil {
		return cache{}, err
	}
	c := cache{filepath.Join(folder, sum[:16])}
	return c, os.MkdirAll(c.folder, 0o777)
}

// path is that of an outcome: of a capture with this sum, and this command line.
func (c cache) path(sum string, line []string) string {
	key := sha256.Sum256([]byte(sum + "\x00" + strings.Join(line, "\x00")))
	return filepath.Join(c.folder, hex.EncodeToString(key[:]))
}

// sum is that of a kept outcome; "" if it is not there.
func (c cache) sum(path string) string {
	if c.folder == "" {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	var sum [2 * sha256.Size]byte
	if _, err := io.ReadFull(f, sum[:]); err != nil {
		return ""
	}
	return string(sum[:])
}

// get reads a kept outcome.
func (c cache) get(path string) (outcome, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, packed, _ := bytes.Cut(b, []byte{'\n'})
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if b, err = d.DecodeAll(packed, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	o, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return o, nil
}

// store keeps an outcome. The file gets its name when it is whole: others may read.
func (c cache) store(path string, o outcome, sum string) error {
	if c.folder == "" {
		return nil
	}
	f, err := os.CreateTemp(c.folder, "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // once renamed, nothing has that name
	defer f.Close()
	if _, err := io.WriteString(f, sum+"\n"); err != nil {
		return err
	}
	w, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if err := o.encode(w); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// sumOf is the SHA-256 of a file, in hex.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
