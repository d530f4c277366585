package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// systems are those that there are releases for, as GOOS and GOARCH.
func systems() [][2]string {
	return [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}
}

// A module is one of which a released program contains packages.
type module struct {
	Path, Version string
	Dir           string   // where it is in the module cache
	packages      []string // the folders of what is linked
}

// String is how Go writes a module: path@version.
func (m module) String() string { return m.Path + "@" + m.Version }

// linked are the modules in cmd/rdmacap, on any system that there are releases for, by their paths.
func linked(root string) ([]module, error) {
	byPath := make(map[string]*module)
	for _, s := range systems() {
		list := exec.Command("go", "list", "-deps", "-json=Dir,Module", "./cmd/rdmacap")
		list.Dir = root
		list.Env = append(os.Environ(), "GOOS="+s[0], "GOARCH="+s[1], "CGO_ENABLED=0")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s/%s: %w", s[0], s[1], err)
		}
		if err := addPackages(byPath, string(out)); err != nil {
			return nil, err
		}
	}
	var all []module
	for _, m := range byPath {
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// addPackages adds what go list wrote to modules, but for this one and Go itself.
func addPackages(byPath map[string]*module, out string) error {
	d := json.NewDecoder(strings.NewReader(out))
	for {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		m := byPath[p.Module.Path]
		if m == nil {
			m = &module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir}
			byPath[m.Path] = m
		}
		if !slices.Contains(m.packages, p.Dir) {
			m.packages = append(m.packages, p.Dir)
		}
	}
}
