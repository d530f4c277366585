package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/rows/story"
	"github.com/rdmacap/rdmacap/report/rules"
)

// followOptions are the flags of rdmacap follow.
type followOptions struct {
	inputOptions
	all      bool
	color    string
	bindings []string
}

func newFollow(s streams, list ruleList) *cobra.Command {
	var o followOptions
	cmd := &cobra.Command{
		Use:   "follow [flags] FILE... {XID | frame N | connection N}",
		Short: "Follow one RPC or connection, frame by frame",
		Long: `Follow one RPC: its status, findings about it, every frame known to belong to
it with the time since the one before, pauses, retransmissions,
acknowledgements and credits; then both messages decoded, what each chunk
moved, and where the time went. The RPC is named by its XID, or by the number
of a frame that carries part of it. For a connection, its frames are listed.

Frames in the middle of an RDMA Read or Write, and other frames of the
connection, are counted in one line unless --all is given. With several
captures a frame number has the index of its file before it, from 0: 1.4916.

FILE is as for rdmacap read, but not a pipe: it is read twice.

Exit status: 0 if it was found; 2 if the captures do not have it, or the
command, or one of its captures, could not be used.`,
		Example: `  rdmacap follow trace.pcap 0x03cdea83
  rdmacap follow trace.pcap frame 4916 | less
  rdmacap follow --all trace.pcap connection 2`,
		RunE: func(c *cobra.Command, args []string) error { return runFollow(c, s, &o, list(), args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&o.all, "all", false, "a row for every frame of the connection, also those that do not belong to the RPC")
	f.StringVar(&o.color, "color", "auto", "colour: `WHEN` is auto, always or never; auto honours NO_COLOR")
	o.register(cmd, "no progress")
	registerBindings(cmd, &o.bindings)
	completeWith(cmd, "color", "auto", "always", "never")
	cmd.Args = cobra.ArbitraryArgs
	return cmd
}

func runFollow(c *cobra.Command, s streams, o *followOptions, list []*rules.Rule, args []string) error {
	files, target, err := story.ParseTarget(args)
	if err != nil {
		return misuse(c, err)
	}
	if err := noPipes(c, files, "twice"); err != nil {
		return err
	}
	color, err := wantColor(o.color, s.out)
	if err != nil {
		return misuse(c, fmt.Errorf("--color: %w", err))
	}
	bindings, err := bindingsFor(o.bindings, list)
	if err != nil {
		return err
	}
	shown := listing.Options{Color: color, Files: len(files), Width: columnsOf(s.out)}
	finder := story.NewFinder(target, shown)
	found := check.New(draft.Form{Form: finder, Rows: finder}, check.Options{
		Rules: list, Config: rules.DefaultConfig(), Selection: finding.Selection{Asked: finder.Asked}, Files: len(files),
	})
	input := o.pipeline(bindings).Checked(found)
	input.KeepBytes, input.Part = true, nil // the finder has to see all
	unusable := dissectFiles(c.Context(), s, files, found, input, o.quiet)
	plot, ok := finder.Plot()
	if !ok {
		if unusable != nil {
			return unusable
		}
		return notFound(target, finder)
	}
	shown.Level = listing.LevelFrame
	for _, name := range followColumns(shown.Width, len(files)) {
		shown.Show = append(shown.Show, listing.Shown{Name: name, Own: true})
	}
	out := rows.NewText(s.out, shown)
	plot.Begin(out)
	again := o.pipeline(bindings)
	again.Units = true
	told := &telling{story.NewFrames(out, plot, o.all)}
	if err := dissectFiles(c.Context(), streams{in: s.in, out: s.out, err: discard{}, process: s.process}, files, told, again, true); err != nil && unusable == nil {
		return err
	}
	plot.Finish(out)
	if err := out.Flush(); err != nil {
		return writeError(err)
	}
	return unusable
}

// noPipes says that a command cannot read a pipe, since it reads captures so often.
func noPipes(c *cobra.Command, files []string, often string) error {
	for _, name := range files {
		if isPipe(name) {
			return misuse(c, fmt.Errorf("%s reads the capture %s, so it cannot be a pipe: save it to a file first", c.Name(), often))
		}
	}
	return nil
}

// isPipe reports whether a capture is standard input or a pipe, which can be read only once.
func isPipe(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// followColumns are the columns of frames for which a terminal has room.
func followColumns(width, files int) []string {
	const little = 100
	names := []string{"time", "delta", "file", "no", "to", "opcode", "psn", "contents"}
	if files < 2 {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "file" })
	}
	if width > 0 && width < little {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "time" || name == "psn" })
	}
	return names
}

// notFound says what is not in the captures.
func notFound(t story.Target, x *story.Finder) error {
	switch connection, seen := x.Lone(); {
	case t.Connection > 0:
		return fmt.Errorf("there is no %s: 'rdmacap stats' lists them", t)
	case t.Frame > 0 && !seen:
		return fmt.Errorf("there is no %s in the captures", t)
	case t.Frame > 0 && connection > 0:
		return fmt.Errorf("%s carries no part of an RPC; it belongs to connection %d", t, connection)
	case t.Frame > 0:
		return fmt.Errorf("%s does not belong to an RDMA connection", t)
	}
	return fmt.Errorf("no RPC has the XID %s: 'rdmacap read --columns no,xid,proc' lists them", t)
}

// telling is the story as what the captures are run into.
type telling struct{ *story.Frames }

// Finish is that of pipeline.Renderer.
func (t *telling) Finish(dissect.Summary, time.Duration) error { return t.Done() }

// discard takes what was told already, when the captures were read first.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
