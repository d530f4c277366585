package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/gopacket/pcapgo"
)

// mark is what a datagram has before the name of the fault that begins there.
var mark = []byte("lab: fault ")

// cut writes a capture for each fault.
func cut(folder string) error {
	to := filepath.Join(folder, "blind")
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	in, err := os.Open(filepath.Join(folder, "wire.pcap"))
	if err != nil {
		return err
	}
	defer in.Close()
	r, err := pcapgo.NewReader(in)
	if err != nil {
		return err
	}
	var out *part
	for {
		b, info, err := r.ReadPacketData()
		if errors.Is(err, io.EOF) {
			return out.close()
		} else if err != nil {
			return errors.Join(err, out.close())
		}
		if _, name, is := bytes.Cut(b, mark); is {
			name, _, _ := strings.Cut(string(name), "\n")
			if out != nil && out.name == name {
				continue // an ICMP message says that nobody takes the datagram, and repeats it
			}
			if err := out.close(); err != nil {
				return err
			}
			if out, err = begin(to, name, r); err != nil {
				return err
			}
		} else if out != nil {
			if err := out.WritePacket(info, b); err != nil {
				return errors.Join(err, out.close())
			}
			out.frames++
		}
	}
}

// An injection is what was injected: its kind, and words.
type injection struct{ kind, words string }

// injections are those of a folder, by name.
func injections(folder string) (map[string]injection, error) {
	text, err := os.ReadFile(filepath.Join(folder, "injected"))
	if err != nil {
		return nil, err
	}
	injected := make(map[string]injection)
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if len(parts) < 3 {
			return nil, fmt.Errorf("%q is not a name, a kind and words", line)
		}
		injected[parts[0]] = injection{parts[1], parts[2]}
	}
	return injected, nil
}

// A part is the capture of one fault.
type part struct {
	*pcapgo.Writer
	file   *os.File
	name   string
	frames int
}

func begin(folder, name string, like *pcapgo.Reader) (*part, error) {
	f, err := os.Create(filepath.Join(folder, filepath.Base(name)+".pcap"))
	if err != nil {
		return nil, err
	}
	p := &part{Writer: pcapgo.NewWriter(f), file: f, name: name}
	return p, p.WriteFileHeader(like.Snaplen(), like.LinkType())
}

func (p *part) close() error {
	if p == nil {
		return nil
	}
	fmt.Printf("%s: %d frames\n", filepath.Base(p.file.Name()), p.frames)
	return p.file.Close()
}
