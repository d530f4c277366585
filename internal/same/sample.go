package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// A sample is one capture: a file, or a scene of a rule.
type sample struct {
	name  string // unique, fit to name a file
	path  string // of the file; "" for a scene
	scene string // its text
	over  scene.Transport
}

// endings are those of capture files.
func endings() []string {
	return []string{".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz", ".pcap.zst", ".pcapng.zst"}
}

// samplesOf lists the captures that a pattern matches ("" for none) and those in further
// folders, whose names begin with the folder's.
func samplesOf(pattern string, folders []string) (list []sample, err error) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	for _, path := range paths {
		if name, ok := captureName(path); ok {
			list = append(list, sample{name: name, path: path})
		}
	}
	if len(list) == 0 && pattern != "" {
		return nil, fmt.Errorf("no capture matches %s", pattern)
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if name, ok := captureName(e.Name()); ok && !e.IsDir() {
				list = append(list, sample{name: filepath.Base(folder) + "-" + name, path: filepath.Join(folder, e.Name())})
			}
		}
	}
	return list, nil
}

// captureName is a file's name without its folder and ending, if it is a capture's.
func captureName(path string) (name string, ok bool) {
	for _, ending := range endings() {
		if name, ok = strings.CutSuffix(filepath.Base(path), ending); ok {
			return name, true
		}
	}
	return "", false
}

// scenes are those of all rules, each over the transports that it makes sense for.
func scenes() (list []sample) {
	for _, r := range catalogue.All() {
		for i, s := range r.AllSamples() {
			if s.Over != rules.IWARP {
				list = append(list, sample{name: fmt.Sprintf("%s-scene-%d-roce", r.ID, i+1), scene: s.Text(), over: scene.RoCE})
			}
			if s.Over != rules.RoCE {
				list = append(list, sample{name: fmt.Sprintf("%s-scene-%d-iwarp", r.ID, i+1), scene: s.Text(), over: scene.IWARP})
			}
		}
	}
	return list
}

// load reads all frames of a sample, as far as it can be read. A capture of several
// link types has no variants: pcap files have one.
func (s *sample) load() (*damage.Capture, error) {
	if s.path == "" {
		p, err := scene.Play(s.scene, s.over)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		return &damage.Capture{Link: link.TypeEthernet, Frames: p.Frames}, nil
	}
	file, err := capture.Open(s.path, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return damage.Record(file)
}

// write makes the file of a variant; for the whole of a file, a copy of that.
func (s *sample) write(path string, variant *damage.Variant, seed int) error {
	if variant.Name == whole && s.path != "" {
		return copyFile(path, s.path)
	}
	c, err := s.load()
	if err != nil {
		return err
	}
	frames := c.Frames
	if variant.Name != whole && len(frames) > 0 {
		frames = variant.Of(c, damage.Random(s.name, variant.Name, seed))
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := build.WritePcapOf(f, uint32(c.Link), frames); err != nil {
		return err
	}
	return f.Close()
}

// copyFile copies a file.
func copyFile(to, from string) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := io.Copy(w, r); err != nil {
		return err
	}
	return w.Close()
}
