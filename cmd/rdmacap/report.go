package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/internal/pipeline/pages"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/html"
	"github.com/rdmacap/rdmacap/report/rules"
)

// reportOptions are the flags of rdmacap report.
type reportOptions struct {
	inputOptions
	ruleOptions
	findingOptions
	outputOptions
	title    string
	maxSize  string
	bindings []string
}

func newReport(s streams, list ruleList) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report [flags] FILE... -o OUT.html",
		Short: "Write an HTML report for readers who were not there",
		Long: `Write an HTML report of captures: what is wrong, which peer caused it and since
when; each finding with a ladder of its frames between client and server and
the bytes at fault; each connection with its credits, latencies and throughput
over time; and all RPCs in a list that can be sorted and filtered.

The page is a single file: it needs no network, and can be mailed and printed.
--max-size limits how many RPCs have their ladder and bytes in it; those with
findings come first. What was left out is listed at the end.

FILE is as for rdmacap read. OUT.html must not exist unless --force is given,
which replaces it once the page is complete; "-" is standard output.

Exit status: 0 if the page was written, whatever was found; 2 if the command,
or one of its captures, could not be used.`,
		Example: `  rdmacap report trace.pcap -o trace.html
  rdmacap report --title 'READ hangs' client.pcap server.pcap -o bug.html
  rdmacap report --max-size 5MB trace.pcap.zst -o mail.html
  ssh host tcpdump -i mirror0 -w - | rdmacap report - -o live.html`,
		RunE: func(c *cobra.Command, args []string) error {
			all, err := o.all(list, o.bindings)
			if err != nil {
				return err
			}
			return runReport(c, s, &o, all, args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.outputOptions.register(f, "the `FILE` to write")
	f.StringVar(&o.title, "title", "", "the title of the page, `TEXT` (default: the names of the captures)")
	f.StringVar(&o.maxSize, "max-size", "20MB", "the maximum size of the page: `SIZE` with kB, MB, GB or KiB, MiB, GiB")
	o.ruleOptions.registerSeverity(cmd)
	o.ruleOptions.register(cmd, list)
	o.findingOptions.register(cmd)
	o.inputOptions.register(cmd, "no progress, no summary line")
	registerBindings(cmd, &o.bindings)
	return cmd
}

func runReport(c *cobra.Command, s streams, o *reportOptions, list []*rules.Rule, files []string) error {
	if o.output == "" {
		return misuse(c, errors.New("report needs -o OUT.html, a file to write"))
	}
	options, err := o.options(list, files)
	if err != nil {
		return misuse(c, err)
	}
	bindings, err := bindingsFor(o.bindings, list)
	if err != nil {
		return err
	}
	if options.Sets, err = query.NewSets(bindings.Own()...); err != nil {
		return err
	}
	out, err := o.open(s, files)
	if err != nil {
		return err
	}

	// Evidence that is made and put away is garbage: it is not to add up.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(200 << 20))
	options.Made = madeAt(s.now())
	var unusable error
	place := pages.Place{
		Dir: out.dir(), Write: out.write,
		Before: func(r pipeline.Result, err error) { unusable = o.place.conclude(s, r, err) },
	}
	input := o.pipeline(bindings)
	input.Starts = o.start.Set
	made, err := pages.Make(c.Context(), filesOf(s, files, o.quiet), place, options, input, nil)
	if err != nil {
		return err
	}
	page, size := made.Page, made.Size
	if !page.Ready() {
		return unusable
	}
	if size > options.MaxSize {
		complain(s, "warning: %s has %.2f MB, more than --max-size %s: that is the size of a page without any data", o.output, float64(size)/1e6, o.maxSize)
	}
	if !o.quiet && !out.standard() {
		fmt.Fprintf(s.out, "%s: %.1f MB, %s\n", out.called(), float64(size)/1e6, page.Check().Tally())
	}
	return unusable
}

// options reads the flags.
func (o *reportOptions) options(list []*rules.Rule, files []string) (h html.Options, err error) {
	files = shortNames(files)
	size, err := filter.ParseSize(o.maxSize)
	if err != nil {
		return h, fmt.Errorf("--max-size: %w", err)
	}
	h.Options = check.Options{Rules: list, Files: len(files)}
	h.Names, h.Version = files, version()
	if h.Selection, h.Config, err = o.load(list); err != nil {
		return h, err
	}
	if err = o.choose(&h.Selection); err != nil {
		return h, err
	}
	const most = 1 << 40 // more than anything will open
	h.MaxSize, h.Title = int64(min(size, most)), o.title
	h.Link = o.link()
	if h.Title == "" {
		h.Title = "rdmacap report: " + strings.Join(files, ", ")
	}
	h.Command = "rdmacap read " + shellWords(files)
	return h, nil
}

// shortNames are the names of files without their folders, if they can be told apart by
// them: who gets the page does not have the folders, and need not know them.
func shortNames(files []string) []string {
	short := make([]string, len(files))
	for i, name := range files {
		if short[i] = filepath.Base(name); slices.Contains(short[:i], short[i]) {
			return files
		}
	}
	return short
}

// madeAt is the time that the page says it was made at: now, or what SOURCE_DATE_EPOCH
// says, so that the same capture makes the same page (reproducible-builds.org).
func madeAt(now time.Time) time.Time {
	if s, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(s, 0)
	}
	return now
}

// shellWords are words as a shell takes them.
func shellWords(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		plain := func(r rune) bool {
			return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./,:@%+=", r)
		}
		if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
			s = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		quoted[i] = s
	}
	return strings.Join(quoted, " ")
}
