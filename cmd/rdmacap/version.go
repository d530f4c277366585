package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, and what it was built from and with",
		Example: "  rdmacap version",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse(c, errors.New("version takes no arguments"))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return printVersion(s) },
	}
}

func printVersion(s streams) error {
	_, err := fmt.Fprintln(s.out, versionLine())
	return written(err)
}

// version is what the Go toolchain stamped into the binary: the module's version where it was
// installed by version; the tag, or a version made of the commit and its date, where it was built
// in a clone; "(devel)" where it was built from a folder that is none.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// versionLine adds the commit, where the toolchain stamped one.
func versionLine() string {
	commit := revision()
	if commit != "" {
		commit = " " + commit
	}
	return fmt.Sprintf("rdmacap %s%s, %s %s/%s", version(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// revision is the commit, and whether there were changes to it; "" where the toolchain
// stamped none.
func revision() string {
	commit, dirty := "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, set := range info.Settings {
			switch {
			case set.Key == "vcs.revision":
				commit = set.Value[:min(12, len(set.Value))]
			case set.Key == "vcs.modified" && set.Value == "true":
				dirty = " with changes"
			}
		}
	}
	return commit + dirty
}
