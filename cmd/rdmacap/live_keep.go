package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/internal/live"
	"github.com/rdmacap/rdmacap/report/finding"
)

// What is kept unless told otherwise.
const (
	defaultRing     = "64MB,1h,100"
	defaultAround   = "10s,5s,32MiB"
	defaultEvidence = "100,10m"
)

func (o *keepOptions) register(cmd *cobra.Command, f *pflag.FlagSet) {
	f.StringVar(&o.dir, "write", "", "write every captured frame to a ring of pcapng files in `DIR` (--ring)")
	f.StringVar(&o.ring, "ring", defaultRing, "`SIZE,TIME,COUNT`: limits of a file, and how many files are kept; or none, to keep only what --on-finding saves")
	f.StringVar(&o.onFinding, "on-finding", "", "save the frames around a finding of this `SEVERITY` or worse to DIR, as annotated capture and HTML report")
	f.Lookup("on-finding").NoOptDefVal = "error"
	f.StringVar(&o.around, "around", defaultAround, "`BEFORE,AFTER,SIZE`: how much time before and after a finding is saved, and the memory it may take")
	f.StringVar(&o.evidence, "evidence", defaultEvidence, "`COUNT,TIME`: keep at most COUNT directories of evidence, and save one per rule and connection in TIME")
	completeWith(cmd, "on-finding", "error", "warning", "note")
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.MarkFlagDirname("write")
}

// parse reads the flags, where findings are shown of a severity and worse; nil if nothing is
// kept.
func (o *keepOptions) parse(f *pflag.FlagSet, shown finding.Severity) (*live.Keeping, error) {
	if o.dir == "" {
		for _, name := range []string{"on-finding", "ring", "around", "evidence"} {
			if f.Changed(name) {
				return nil, fmt.Errorf("--%s needs --write DIR, a directory to write to", name)
			}
		}
		return nil, nil
	}
	k := &live.Keeping{Dir: o.dir}
	if o.ring != "none" {
		limits, err := keep.Limits{}.ParseLimits(defaultRing)
		if err == nil {
			limits, err = limits.ParseLimits(o.ring)
		}
		if err != nil {
			return nil, fmt.Errorf("--ring: %w", err)
		}
		k.Ring = &limits
	}
	if o.onFinding == "" {
		for _, name := range []string{"around", "evidence"} {
			if f.Changed(name) {
				return nil, fmt.Errorf("--%s needs --on-finding", name)
			}
		}
		if k.Ring == nil {
			return nil, errors.New("--ring none needs --on-finding: nothing would be written")
		}
		return k, nil
	}
	if err := o.parseEvidence(k); err != nil {
		return nil, err
	}
	if k.Least < shown {
		return nil, fmt.Errorf("--on-finding=%v: --severity %v hides such findings", k.Least, shown)
	}
	return k, nil
}

// parseEvidence reads the flags about findings.
func (o *keepOptions) parseEvidence(k *live.Keeping) error {
	var err error
	if k.Least, err = finding.ParseSeverity(o.onFinding); err != nil {
		return fmt.Errorf("--on-finding: %w", err)
	}
	around, err := keep.Around{}.ParseAround(defaultAround)
	if err == nil {
		around, err = around.ParseAround(o.around)
	}
	if err != nil {
		return fmt.Errorf("--around: %w", err)
	}
	k.Evidence = &keep.Evidence{Around: around}
	for _, list := range []string{defaultEvidence, o.evidence} {
		for part := range strings.SplitSeq(list, ",") {
			part = strings.TrimSpace(part)
			n, err := strconv.Atoi(part)
			d, other := time.ParseDuration(part)
			switch {
			case err == nil && n >= 1 && n <= 10_000:
				k.Evidence.Count = n
			case err != nil && other == nil && d >= 0:
				k.Evidence.Every = d
			default:
				return fmt.Errorf("--evidence: %q is not a number of directories from 1 to 10000 and a time, as in %s", part, defaultEvidence)
			}
		}
	}
	return nil
}

// separate says that what is written would be read: from is a folder that is read, too.
func (o *keepOptions) separate(from string) error {
	if a, err := os.Stat(from); err == nil {
		if b, err := os.Stat(o.dir); err == nil && os.SameFile(a, b) {
			return fmt.Errorf("--write %s: live would read its own output", o.dir)
		}
	}
	return nil
}
