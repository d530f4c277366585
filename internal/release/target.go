package main

import (
	"fmt"
	"slices"
	"strings"
)

// A target is what the program is built for. Static programs have the tag noverbs: they are
// without RDMA devices, and need no glibc.
type target struct {
	system, processor string
	static            bool
}

// targets are all that a release has. RDMA devices are Linux's, so elsewhere programs are built
// with noverbs, though macOS has them load its own libraries.
func targets() []target {
	return []target{
		{"linux", "amd64", false}, {"linux", "amd64", true},
		{"linux", "arm64", false}, {"linux", "arm64", true},
		{"darwin", "amd64", true}, {"darwin", "arm64", true},
		{"windows", "amd64", true},
	}
}

// String is linux-amd64, or linux-amd64-static where there is another one. File names have it.
func (t target) String() string {
	name := t.system + "-" + t.processor
	if t.static && t.system == "linux" {
		name += "-static"
	}
	return name
}

// program is the file name of the program.
func (t target) program() string {
	if t.system == "windows" {
		return "rdmacap.exe"
	}
	return "rdmacap"
}

// packaged reports whether there are packages of it: with RDMA devices, for which they recommend
// the libraries.
func (t target) packaged() bool { return t.system == "linux" && !t.static }

// chosen are the targets in a list, as linux-amd64,linux-arm64; all for "".
func chosen(list string) (some []target, err error) {
	all := targets()
	if list == "" {
		return all, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no target %q, only %v", name, all)
		}
		some = append(some, all[i])
	}
	return some, nil
}
