package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/annotate"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rules"
)

// annotateOptions are the flags of rdmacap annotate.
type annotateOptions struct {
	inputOptions
	ruleOptions
	findingOptions
	outputOptions
	bindings []string
}

func newAnnotate(s streams, list ruleList) *cobra.Command {
	var o annotateOptions
	cmd := &cobra.Command{
		Use:   "annotate [flags] FILE -o OUT.pcapng",
		Short: "Copy a capture and add findings as comments for Wireshark",
		Long: `Copy a capture to a pcapng file in which each finding is a comment on the
packet that shows it. The comment on the file has the verdict on each
connection. Packets, times and interfaces are those of the original. Wireshark
shows the comments in the packet details, finds them with the filter
frame.comment, and shows the comment on the file under Statistics, Capture File
Properties.

FILE is a capture as for rdmacap read, but not a pipe: it is read twice.
OUT.pcapng must not exist unless --force is given, which replaces it once the
copy is complete; "-" is standard output, and the summary line then goes to
standard error.

Exit status: 0 if the copy was written, whatever was found; 2 if the command,
the capture or OUT.pcapng could not be used. A damaged capture is copied up to
the damage.`,
		Example: `  rdmacap annotate trace.pcap -o trace-annotated.pcapng
  rdmacap annotate --rules DDP,CREDIT-002 trace.pcap.zst -o ddp.pcapng
  tshark -r ddp.pcapng -Y frame.comment -T fields -e frame.comment`,
		RunE: func(c *cobra.Command, args []string) error {
			all, err := o.all(list, o.bindings)
			if err != nil {
				return err
			}
			return runAnnotate(c, s, &o, all, args[0])
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.outputOptions.register(f, "the pcapng `FILE` to write")
	o.ruleOptions.registerSeverity(cmd)
	o.ruleOptions.register(cmd, list)
	o.findingOptions.register(cmd)
	o.inputOptions.register(cmd, "no progress, no summary line")
	registerBindings(cmd, &o.bindings)
	cmd.Args = annotateArgs
	return cmd
}

// annotateArgs takes one capture.
func annotateArgs(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return misuse(c, errors.New("annotate needs a capture file"))
	case len(args) > 1:
		return misuse(c, fmt.Errorf("annotate takes one capture file, not %d", len(args)))
	case args[0] == "-":
		return misuse(c, errors.New("annotate cannot read standard input: it reads the capture twice, "+
			"because the comments on a frame are known only later; save it to a file first"))
	}
	return nil
}

func runAnnotate(c *cobra.Command, s streams, o *annotateOptions, list []*rules.Rule, file string) error {
	if o.output == "" {
		return misuse(c, errors.New("annotate needs -o OUT.pcapng, a file to write"))
	}
	selection, config, err := o.load(list)
	if err != nil {
		return misuse(c, err)
	}
	if err = o.choose(&selection); err != nil {
		return err
	}
	bindings, err := bindingsFor(o.bindings, list)
	if err != nil {
		return err
	}
	in, err := openTwice(file)
	if err != nil {
		return err
	}
	defer in.Close() // read only: nothing is lost
	out, err := o.open(s, []string{file})
	if err != nil {
		return err
	}

	comments := record.NewComments()
	found := check.New(comments.Draft(), check.Options{Rules: list, Config: config, Selection: selection, Files: 1})
	input := o.pipeline(bindings).Checked(found)
	input.Starts = o.start.Set
	var problems []error
	input.Over = func(faults []error) {
		problems = faults
		found.Over(faults)
	}
	unusable := dissectPlace(c.Context(), s, []string{file}, found, input, o.place, o.quiet)

	var result annotate.Result
	_, err = out.write(func(w io.Writer) (err error) {
		result, err = annotate.Copy(w, in, file, annotate.Comments{File: []string{comments.File()}, Frames: comments.Frames()})
		if err != nil {
			return err
		}
		if lost := int64(len(comments.Frames())) - result.Placed - unplacedFrames(result); lost > 0 && result.Fault == nil {
			return &changedError{file, lost}
		}
		return nil
	})
	if changed, is := errors.AsType[*changedError](err); is {
		return changed
	}
	if foreign, is := errors.AsType[*capture.Error](err); is && unusable != nil {
		return unusable // which said so
	} else if is {
		return foreign
	} else if err != nil {
		return err
	}
	if result.Fault != nil && len(problems) == 0 {
		unusable = printResult(s, pipeline.Result{Faults: []error{result.Fault}})
	}
	warnUnplaced(s, file, result)
	if !o.quiet {
		to := s.out
		if out.standard() {
			to = s.err
		}
		fmt.Fprintf(to, "%s: %s, %d with comments; %s\n", out.called(), pipeline.FrameCount(result.Frames), result.Placed, found.Tally())
	}
	return unusable
}

// openTwice opens a capture that will be read twice.
func openTwice(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, fmt.Errorf("%s: not a regular file: annotate reads a capture twice; save it to a file first", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be opened: %w", path, plainError(err))
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	return f, nil
}

// A changedError says that a capture has fewer frames than when it was judged.
type changedError struct {
	file string
	lost int64
}

func (e *changedError) Error() string {
	return fmt.Sprintf("%s changed while it was read: %s of the findings are no longer in it", e.file, pipeline.FrameCount(e.lost))
}

// unplacedFrames counts the frames whose comments have no place.
func unplacedFrames(r annotate.Result) (n int64) {
	for _, u := range r.Unplaced {
		if u.Frame > 0 {
			n++
		}
	}
	return n
}

// warnUnplaced warns of comments that the copy does not have.
func warnUnplaced(s streams, file string, r annotate.Result) {
	if len(r.Unplaced) == 0 {
		return
	}
	what, more := "the file", ""
	if first := r.Unplaced[0]; first.Frame > 0 {
		what = fmt.Sprintf("frame %d", first.Frame)
	}
	if n := int64(len(r.Unplaced)) - 1; n > 0 {
		more = fmt.Sprintf(" (and %s more)", pipeline.FrameCount(n))
	}
	complain(s, "warning: %s: %s%s got no comment: %s", file, what, more, r.Unplaced[0].Why)
}
