package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/hostile"
)

// programs are the commands that run on a file of each case, as hostile.Commands names them. What
// check and read say of it is looked at without a file.
func programs() []string {
	return []string{"annotate", "live", "export", "replay", "listen", "verbatim"}
}

// run runs the program on a file of the case, and returns what is wrong with that.
func (t *trial) run(program string) (wrong []string, err error) {
	dir, err := os.MkdirTemp("", "badly")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "case.pcap")
	if err := t.write(path); err != nil {
		return nil, err
	}
	for _, c := range hostile.Commands() {
		if !slices.Contains(programs(), c.Name) {
			continue
		}
		out := filepath.Join(dir, c.Name)
		if err := os.Mkdir(out, 0o700); err != nil {
			return wrong, err
		}
		_, w := c.Run(context.Background(), program, path, out)
		wrong = append(wrong, w...)
	}
	return wrong, nil
}

// write writes the frames of the case as a pcap file, all of them as if of one interface.
func (t *trial) write(path string) error {
	var list build.Frames
	for _, f := range t.capture() {
		if f.Link != link.TypeEthernet {
			return fmt.Errorf("%s: a frame of link type %d", t.name(), f.Link)
		}
		list = append(list, build.Frame{Time: time.Unix(0, f.Time), Data: f.Data, Length: int(f.Length)})
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	return errors.Join(build.WritePcap(w, list), w.Flush(), file.Close())
}
