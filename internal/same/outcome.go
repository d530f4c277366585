package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An outcome is all that a run left: its exit status, standard output and standard
// error, and the files that it wrote, in the order of their names.
type outcome []part

// A part of an outcome.
type part struct {
	name string
	data []byte
}

// The parts that every outcome has.
const (
	partStatus = "exit status"
	partOut    = "standard output"
	partErr    = "standard error"
)

// patience is how long a run may take.
const patience = 5 * time.Minute

// largest is the length up to which files of an exported folder are summed: objects are
// sparse files, and a changed byte can make one of terabytes.
const largest = 1 << 30

// run runs a command of a build on a capture in the same folder. An error is about the
// run itself, not about its exit status.
func run(binary string, c *command, folder, capture string) (outcome, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	var out, complaints bytes.Buffer
	p := exec.CommandContext(ctx, binary, c.line(capture)...)
	p.Dir, p.Stdout, p.Stderr = folder, &out, &complaints
	// Nothing of the surroundings counts. The page of report has the date of its making.
	p.Env = []string{"SOURCE_DATE_EPOCH=1700000000", "TZ=UTC", "LANG=C.UTF-8"}
	err := p.Run()
	if bad := new(exec.ExitError); err != nil && (!errors.As(err, &bad) || ctx.Err() != nil) {
		return nil, fmt.Errorf("%s %s in %s: %w", binary, strings.Join(c.line(capture), " "), folder, errors.Join(err, ctx.Err()))
	}
	o := outcome{
		{partStatus, []byte(p.ProcessState.String() + "\n")},
		{partOut, timeless(out.Bytes())},
		{partErr, withoutStacks(timeless(complaints.Bytes()))},
	}
	if c.out == "" {
		return o, nil
	}
	files, err := collect(folder, c.out)
	return append(o, files...), err
}

// collect reads what a run wrote and removes it. Objects are summed; nothing is no error.
func collect(folder, out string) (list []part, err error) {
	top := filepath.Join(folder, out)
	defer os.RemoveAll(top)
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		data, err := content(path, out == outFolder && filepath.Base(path) != "manifest.json")
		list = append(list, part{name, data})
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// content is what a file holds, or its length and sum.
func content(path string, summed bool) ([]byte, error) {
	if !summed {
		return os.ReadFile(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > largest {
		return fmt.Appendf(nil, "%d bytes, not summed\n", info.Size()), nil
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Appendf(nil, "%d bytes, SHA-256 %x\n", info.Size(), h.Sum(nil)), err
}

var (
	elapsedJSON = regexp.MustCompile(`"elapsed_seconds":[0-9.]+`)
	// The summary line of text, which may be wrapped anywhere, as the time has more or
	// fewer digits.
	elapsedText = regexp.MustCompile(`(?m)^[0-9]+ RPCs? on [^;]*;[^;]*captured,\s+read\s+in\s+[0-9.]+\s+[nµm]?s$`)
	readIn      = regexp.MustCompile(`read in [0-9.]+ [nµm]?s$`)
)

// timeless takes out how long a run took, which stands in the last lines.
func timeless(b []byte) []byte {
	const last = 4096
	at := max(0, len(b)-last)
	tail := elapsedJSON.ReplaceAll(b[at:], []byte(`"elapsed_seconds":0`))
	tail = elapsedText.ReplaceAllFunc(tail, func(line []byte) []byte {
		return readIn.ReplaceAll(bytes.Join(bytes.Fields(line), []byte{' '}), []byte("read in 0 s"))
	})
	return append(b[:at:at], tail...)
}

// stacks begins what a panic says after its reason; before it may stand the signal with
// the address of the code.
var (
	stacks = []byte("\n\ngoroutine ")
	signal = regexp.MustCompile(`\n\[signal [^\n]*\]$`)
)

// withoutStacks cuts off what differs between two runs, and two builds, of one panic.
func withoutStacks(b []byte) []byte {
	said, _, panicked := bytes.Cut(b, stacks)
	if panicked {
		return append(signal.ReplaceAll(said, nil), stacks...)
	}
	return b
}

// crashed says whether the run ended in a panic.
func (o outcome) crashed() bool { return bytes.HasSuffix(o[2].data, stacks) }

// sum is the SHA-256 of all parts and their names, in hex.
func (o outcome) sum() string {
	h := sha256.New()
	o.encode(h) // a hash takes everything
	return hex.EncodeToString(h.Sum(nil))
}

// encode writes an outcome: each part's name and data, each with its length before it
// in 8 bytes, big-endian.
func (o outcome) encode(w io.Writer) error {
	for _, p := range o {
		for _, b := range [][]byte{[]byte(p.name), p.data} {
			if _, err := w.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b)))); err != nil {
				return err
			}
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// decode is the reverse of encode.
func decode(b []byte) (o outcome, err error) {
	next := func() (field []byte) {
		if len(b) < 8 || uint64(len(b)-8) < binary.BigEndian.Uint64(b) {
			b, err = nil, io.ErrUnexpectedEOF
			return nil
		}
		n := 8 + binary.BigEndian.Uint64(b)
		field, b = b[8:n], b[n:]
		return field
	}
	for len(b) > 0 {
		o = append(o, part{string(next()), slices.Clip(next())})
	}
	return o, err
}

// refused says whether the command could not be used on the capture.
func (o outcome) refused() bool { return string(o[0].data) == "exit status 2\n" }
