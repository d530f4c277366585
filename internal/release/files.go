package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/rdmacap/rdmacap/internal/release/manual"
)

// does is what the program does, as the manual page and the packages say in their lists.
const does = "analyse captures of NFS over RDMA"

// completions are the shells that have some, and their files in archives.
func completions() map[string]string {
	return map[string]string{"bash": "rdmacap.bash", "zsh": "_rdmacap", "fish": "rdmacap.fish", "powershell": "rdmacap.ps1"}
}

// companions are the files that archives have beside the program, by name. The program is one
// that runs here: it prints its help and its completions.
func (r *release) companions(ctx context.Context, host string) (list []file, err error) {
	for _, pattern := range []string{"LICENSE", "README.md", "CHANGELOG.md", "THIRD-PARTY*"} {
		found, err := filepath.Glob(filepath.Join(r.sources, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			list = append(list, file{filepath.Base(path), data, plain})
		}
	}
	for shell, name := range completions() {
		text, err := r.output(ctx, host, "completion", shell)
		if err != nil {
			return nil, err
		}
		list = append(list, file{"completions/" + name, []byte(text), plain})
	}
	about := manual.Release{Version: r.version, Does: does, Date: r.when}
	pages, err := manual.Pages("rdmacap", about, func(command ...string) (string, error) {
		return r.output(ctx, append(append([]string{host}, command...), "--help")...)
	})
	for name, text := range pages {
		list = append(list, file{"man/man1/" + name, []byte(text), plain})
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return list, err
}
