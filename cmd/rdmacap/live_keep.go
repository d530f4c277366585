package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// What is kept unless told otherwise.
const (
	defaultRing     = "64MB,1h,100"
	defaultAround   = "10s,5s,32MiB"
	defaultEvidence = "100,10m"
)

func (o *keepOptions) register(cmd *cobra.Command, f *pflag.FlagSet) {
	f.StringVar(&o.dir, "write", "", "write every captured frame to pcapng files in `DIR`, of which the oldest are deleted (--ring)")
	f.StringVar(&o.ring, "ring", defaultRing, "`SIZE,TIME,COUNT`: a file ends at SIZE or after TIME, and at most COUNT are kept; or none, for only what --on-finding keeps")
	f.StringVar(&o.onFinding, "on-finding", "", "write what was around a finding of this `SEVERITY` or worse to a folder in DIR: annotated capture and HTML report")
	f.Lookup("on-finding").NoOptDefVal = "error"
	f.StringVar(&o.around, "around", defaultAround, "`BEFORE,AFTER,SIZE`: how much time before and after a finding is kept, and how much memory that may take")
	f.StringVar(&o.evidence, "evidence", defaultEvidence, "`COUNT,TIME`: at most COUNT folders of findings are kept, and one of a rule on a connection in TIME")
	completeWith(cmd, "on-finding", "error", "warning", "note")
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.MarkFlagDirname("write")
}

// A keeping is what the flags say.
type keeping struct {
	dir      string
	ring     *keep.Limits   // nil for none
	evidence *keep.Evidence // nil for none
	least    rules.Severity // of findings
}

// parse reads the flags, where findings are shown of a severity and worse; nil if nothing is
// kept.
func (o *keepOptions) parse(f *pflag.FlagSet, shown rules.Severity) (*keeping, error) {
	if o.dir == "" {
		for _, name := range []string{"on-finding", "ring", "around", "evidence"} {
			if f.Changed(name) {
				return nil, fmt.Errorf("--%s needs --write DIR, a folder to write to", name)
			}
		}
		return nil, nil
	}
	k := &keeping{dir: o.dir}
	if o.ring != "none" {
		limits, err := keep.Limits{}.ParseLimits(defaultRing)
		if err == nil {
			limits, err = limits.ParseLimits(o.ring)
		}
		if err != nil {
			return nil, fmt.Errorf("--ring: %w", err)
		}
		k.ring = &limits
	}
	if o.onFinding == "" {
		for _, name := range []string{"around", "evidence"} {
			if f.Changed(name) {
				return nil, fmt.Errorf("--%s needs --on-finding", name)
			}
		}
		if k.ring == nil {
			return nil, errors.New("--ring none needs --on-finding: nothing would be written")
		}
		return k, nil
	}
	if err := o.parseEvidence(k); err != nil {
		return nil, err
	}
	if k.least < shown {
		return nil, fmt.Errorf("--on-finding=%v: --severity %v leaves such findings out", k.least, shown)
	}
	return k, nil
}

// parseEvidence reads the flags about findings.
func (o *keepOptions) parseEvidence(k *keeping) error {
	var err error
	if k.least, err = rules.ParseSeverity(o.onFinding); err != nil {
		return fmt.Errorf("--on-finding: %w", err)
	}
	around, err := keep.Around{}.ParseAround(defaultAround)
	if err == nil {
		around, err = around.ParseAround(o.around)
	}
	if err != nil {
		return fmt.Errorf("--around: %w", err)
	}
	k.evidence = &keep.Evidence{Around: around}
	for _, list := range []string{defaultEvidence, o.evidence} {
		for part := range strings.SplitSeq(list, ",") {
			part = strings.TrimSpace(part)
			n, err := strconv.Atoi(part)
			d, other := time.ParseDuration(part)
			switch {
			case err == nil && n >= 1 && n <= 10_000:
				k.evidence.Count = n
			case err != nil && other == nil && d >= 0:
				k.evidence.Every = d
			default:
				return fmt.Errorf("--evidence: %q: it is a number of folders from 1 to 10000 and a time, as in %s", part, defaultEvidence)
			}
		}
	}
	return nil
}

// A keeper keeps what is captured, while live runs. A nil one keeps nothing.
type keeper struct {
	*keep.Recorder
	least rules.Severity
	// drops tells what an interface dropped, if frames come from one.
	drops   atomic.Pointer[live.Source]
	release func()
	now     int64 // time of the frame that was analysed last
}

// open begins to keep frames of interfaces, or of captures, of these names. What evidence is
// made with comes as maker.
func (k *keeping) open(s streams, o *liveOptions, names []string, maker *evidenceMaker) (*keeper, error) {
	if k == nil {
		return nil, nil
	}
	if a, err := os.Stat(o.from); err == nil && o.from != "" {
		if b, err := os.Stat(k.dir); err == nil && os.SameFile(a, b) {
			return nil, fmt.Errorf("--write %s: what is written there would be read", k.dir)
		}
	}
	x := &keeper{least: k.least}
	options := keep.Options{
		Dir: k.dir, Ring: k.ring, Evidence: k.evidence, Wait: o.from != "", Program: "rdmacap " + version(),
		Describe: func(f *capture.Frame) (name, description string) {
			if len(o.interfaces) > 0 {
				return names[f.File], ""
			}
			return "", fmt.Sprintf("interface %d of %s", f.Interface, fileName(names[f.File]))
		},
		Drops: func(file int) (before, ring int64) {
			if source := x.drops.Load(); source != nil {
				d := source.DropsOf(file)
				return d.Kernel, d.Ring
			}
			return 0, 0
		},
		Tell: func(line string, urgent bool) {
			if urgent || !o.quiet {
				complain(s, "%s", line)
			}
		},
	}
	if k.evidence != nil {
		k.evidence.Make = maker.make
	}
	var err error
	if x.Recorder, err = keep.Open(options); err != nil {
		return nil, err
	}
	x.release = s.whenHungUp(x.Reopen)
	return x, nil
}

// through has what is read of a source kept; from is who captures it.
func (k *keeper) through(s, from capture.Source) capture.Source {
	if x, ok := from.(*live.Source); ok {
		k.drops.Store(x)
	}
	return k.Source(s)
}

// close ends keeping.
func (k *keeper) close() {
	if k != nil {
		k.Close()
		k.release()
	}
}

// Fresh implements finding.LiveView: a finding is an occasion.
func (k *keeper) Fresh(f *rules.Finding) {
	if f.Severity < k.least {
		return
	}
	o := keep.Occasion{
		Rule: f.ID(), Severity: f.Severity.String(), Message: f.Message,
		File: f.Frame.File, Frame: f.Frame.Number, Time: f.Time, Said: k.now,
	}
	if f.Connection != nil {
		o.Connection = f.Connection.ID
	}
	k.Occur(o)
}

// Part implements finding.PartedView: there is none.
func (*keeper) Part() finding.LivePart { return nil }

// Reached implements finding.PartedView.
func (k *keeper) Reached(time int64) { k.now = max(k.now, time) }

// Frame implements dissect.Sink: time goes by.
func (k *keeper) Frame(v *dissect.FrameView) { k.now = v.Frame.Time }

// Connection implements dissect.Sink.
func (*keeper) Connection(*dissect.Connection, bool) {}

// Message implements dissect.Sink.
func (*keeper) Message(*dissect.Message) {}

// RPC implements dissect.Sink.
func (*keeper) RPC(*dissect.RPC) {}

// Dropped implements finding.LiveView.
func (*keeper) Dropped(finding.Drops, int64) {}
