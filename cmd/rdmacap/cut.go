package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/extract"
	"github.com/rdmacap/rdmacap/internal/export/cut"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/listing"
)

// cutOptions are the flags of rdmacap cut.
type cutOptions struct {
	inputOptions
	outputOptions
	filter   string
	place    placeOptions
	snap     string
	bindings []string
	hide     anonymizeOptions
}

func newCut(s streams) *cobra.Command {
	var o cutOptions
	cmd := &cobra.Command{
		Use:   "cut [flags] FILE... -o OUT.pcapng",
		Short: "Copy the frames of some RPCs or connections into a small capture",
		Long: `Copy the frames of the RPCs that -Y, --connection, --since and --until select:
those that carried the call, the reply and chunks, their retransmissions,
acknowledgements and NAKs, and the setup and teardown of every connection that
one of the RPCs is on. With --connection alone all frames of the connection are
copied. Times, lengths, interfaces and comments are those of the captures;
several captures become one file, in order of time.

FILE is a capture as for rdmacap read, but not a pipe: it is read several times.
OUT.pcapng must not exist unless --force is given, which replaces it once the
copy is complete; "-" is standard output. A comment on the file says what it
was cut from and how; on an anonymized file, only how much it holds.

--anonymize replaces addresses, names, user and group IDs, file handles, file
data, and everything not known to be harmless; equal values get equal
replacements. Lengths, times, ports and protocol numbers stay: read
docs/security.md before you hand a file out. With --key the key is kept in a
file, for the next capture and to look up what was replaced; without it nobody
can.

Frames that were not selected look like frames that were not captured: what
check can say only of a complete capture, it omits or reports as likely.

Exit status: 0 if the frames were copied; 2 if nothing was selected, or the
command, one of its captures, or OUT.pcapng could not be used. A damaged
capture is copied up to the damage.`,
		Example: `  rdmacap cut -Y 'rpc.xid == 0x03cdea83' trace.pcap -o one.pcapng
  rdmacap cut --connection 2 trace.pcap -o connection.pcapng
  rdmacap cut -Y 'rpc.latency > 1s' --snap headers trace.pcap.zst -o slow.pcapng
  rdmacap cut --connection 1 trace.pcap --anonymize --key our.key -o anon.pcapng
  rdmacap cut --since 12.5 --until +3s client.pcap server.pcap -o then.pcapng`,
		RunE: func(c *cobra.Command, args []string) error { return runCut(c, s, &o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.outputOptions.register(f, "the pcapng `FILE` to write")
	f.StringVarP(&o.filter, "filter", "Y", "", "copy the RPCs that match `EXPR`, as in 'rpc.latency > 1s' (docs/filter.md)")
	o.place.register(cmd)
	f.StringVar(&o.snap, "snap", "", "`WHAT` is headers: leave out file data, except where a header follows it in the frame")
	completeWith(cmd, "snap", "headers")
	o.hide.register(f)
	o.inputOptions.register(cmd, "no progress, no summary line")
	registerBindings(cmd, &o.bindings)
	cmd.Args = cutArgs
	return cmd
}

// cutArgs takes captures.
func cutArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misuse(c, errors.New("cut needs a capture file"))
	}
	return readArgs(c, args)
}

func runCut(c *cobra.Command, s streams, o *cutOptions, files []string) error {
	switch {
	case o.output == "":
		return misuse(c, errors.New("cut needs -o OUT.pcapng, a file to write"))
	case o.snap != "" && o.snap != "headers":
		return misuse(c, fmt.Errorf("--snap: unknown value %q: use headers", o.snap))
	case o.filter == "" && !o.place.given():
		return misuse(c, errors.New("cut needs a selection: -Y EXPR, --connection N, --since or --until"))
	}
	if err := o.hide.check(files, o.output); err != nil {
		return misuse(c, err)
	}
	if err := noPipes(c, files, "several times"); err != nil {
		return err
	}
	bindings, err := loadBindings(o.bindings)
	if err != nil {
		return err
	}
	ask := asker{bindings: bindings}
	only, err := ask.filter(o.filter, listing.LevelRPC, &o.place)
	if err != nil {
		return err
	}
	out, err := o.open(s, files)
	if err != nil {
		return err
	}
	hide, err := o.hide.open()
	if err != nil {
		return err
	}

	choice := cut.Choice{RPC: only.RPC, Headers: o.snap == "headers"}
	if o.filter == "" && o.place.since == "" && o.place.until == "" {
		place, err := o.place.parse(nil)
		if err != nil {
			return err
		}
		choice.Whole = place.HasConnection
	}
	chooser := cut.NewChooser(choice)
	input := o.pipeline(bindings)
	input.Starts = ask.starts
	if choice.Headers {
		input.Accesses = chooser
	}
	unusable := dissectFiles(c.Context(), s, files, chooser, input, o.quiet)
	if !chooser.Any() {
		if unusable != nil {
			return unusable
		}
		return errors.New("nothing was selected, so nothing is written: " + o.nothing())
	}
	marker := cut.NewMarker(chooser)
	again := o.pipeline(bindings)
	again.Units = true
	mute := s
	mute.err = discard{}
	if err := dissectFiles(c.Context(), mute, files, marker, again, true); err != nil && unusable == nil {
		return err
	}
	if hide != nil {
		if err := hide.plan(c, mute, o, bindings, files, marker.Frames(), unusable); err != nil {
			return err
		}
	}
	return o.copy(s, out, files, chooser, marker, hide, unusable)
}

// nothing is what was not found.
func (o *cutOptions) nothing() string {
	switch {
	case o.filter != "":
		return "no RPC matches; 'rdmacap read -Y' lists what an expression matches"
	case o.place.since == "" && o.place.until == "":
		return "there is no such connection; 'rdmacap stats' lists them"
	}
	return "no RPC was in progress then; 'rdmacap read' lists them with their times"
}

// chosenBy are the flags that chose.
func (o *cutOptions) chosenBy() string {
	var list []string
	if o.filter != "" {
		list = append(list, "-Y '"+o.filter+"'")
	}
	for _, n := range o.place.connections {
		list = append(list, fmt.Sprintf("--connection %d", n))
	}
	if o.place.since != "" {
		list = append(list, "--since "+o.place.since)
	}
	if o.place.until != "" {
		list = append(list, "--until "+o.place.until)
	}
	if o.snap != "" {
		list = append(list, "--snap "+o.snap)
	}
	return strings.Join(list, " ")
}

// copy writes the frames.
func (o *cutOptions) copy(s streams, out output, names []string, chosen *cut.Chooser, marked *cut.Marker, hide *anonymizer, unusable error) error {
	var sources []*capture.File
	for i, name := range names {
		f, err := capture.Open(name, i)
		if err != nil {
			continue // which was told when it was read first
		}
		defer f.Close() // read only: nothing is lost
		sources = append(sources, f)
	}
	what := chosen.String()
	choice := extract.Choice{
		Frames: marked.Frames(), Gaps: marked.Gaps(), Lengths: marked.Lengths(), Program: "rdmacap " + version(),
		Comment: fmt.Sprintf("cut by rdmacap %s: %s, selected by %s, from %s", version(), what, o.chosenBy(), pipeline.FrameCount(chosen.All())),
	}
	if hide != nil {
		choice.Rewrite = hide.made.Rewrite
		choice.Comment = fmt.Sprintf("cut and anonymized by rdmacap %s: %s", version(), what)
	}
	var result extract.Result
	_, err := out.write(func(w io.Writer) (err error) {
		result, err = extract.Copy(w, sources, choice)
		if err == nil && result.Frames != marked.Frames().Len() {
			return fmt.Errorf("the captures changed while they were read: %s of those selected are no longer in them", pipeline.FrameCount(marked.Frames().Len()-result.Frames))
		}
		return err
	})
	if err != nil {
		return err
	}
	if !o.quiet {
		fmt.Fprintf(s.err, "cut: %d of %s (%s) written to %s\n", result.Frames, pipeline.FrameCount(result.All), what, out.called())
		if o.snap != "" {
			fmt.Fprintf(s.err, "cut: %d bytes of file data left out of %s\n", result.LeftOut, pipeline.FrameCount(result.Shortened))
		}
		if hide != nil {
			hide.printReplaced(s)
		}
	}
	return unusable
}
