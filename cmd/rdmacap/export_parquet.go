package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/dataset"
	"github.com/rdmacap/rdmacap/report/rules"
)

// parquetOptions are the flags of rdmacap export parquet.
type parquetOptions struct {
	inputOptions
	ruleOptions
	dir      string
	host     string
	datasets string
	bindings []string
}

func newExportParquet(s streams, list ruleList) *cobra.Command {
	var o parquetOptions
	cmd := &cobra.Command{
		Use:   "parquet [flags] FILE... -o DIR",
		Short: "Write RPCs, messages, findings and connections as Parquet",
		Long: `Write what captures hold as Parquet files, for DuckDB, ClickHouse, Spark, Trino
and others: the datasets rpcs, messages, findings and connections, and frames if
--datasets names them. Columns are the fields of the JSON records of 'rdmacap
read' and 'rdmacap check' (docs/fleet.md).

Each dataset is a directory in DIR, partitioned by host and date. FILE..., which
are merged by time as for rdmacap read, become one file of each dataset, named
after the first FILE. A file is complete or absent. The same captures replace
the files that were written of them before. To query captures together, export
each into the same DIR, or copy the directories into one.

--host says where was captured, which captures do not tell. The date is that of
the first frame, in UTC; 1970-01-01 if the capture has no times.

Exit status: 0 if everything was read, even if a capture ends in the middle of
a record (a warning says so); 2 if the command, one of its captures, or DIR
could not be used; 130 if it was interrupted, and nothing was written.`,
		Example: `  rdmacap export parquet trace.pcap -o fleet
  rdmacap export parquet --host nfs7 client.pcap server.pcap -o fleet
  rdmacap export parquet --datasets rpcs,frames trace.pcap -o fleet
  duckdb -c "SELECT server, operation, max(latency_ns)
    FROM 'fleet/rpcs/*/*/*.parquet' GROUP BY ALL"`,
		RunE: func(c *cobra.Command, args []string) error {
			all, err := o.ruleOptions.all(list, o.bindings)
			if err != nil {
				return err
			}
			return runExportParquet(c, s, &o, all, args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.dir, "output", "o", "", "the directory `DIR` with the datasets; it is created")
	registerDataset(cmd, &o.host, &o.datasets, "unknown")
	o.ruleOptions.register(cmd, list)
	o.inputOptions.register(cmd, "no progress, no summary line")
	registerBindings(cmd, &o.bindings)
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// datasetsOf reads the flags about datasets.
func datasetsOf(host, list string) (dataset.Wanted, error) {
	if !hostName().MatchString(host) {
		return dataset.Wanted{}, fmt.Errorf("--host: %q: use at most 100 letters, digits, dots, - and _", host)
	}
	wanted, unknown, ok := dataset.Parse(list)
	if !ok {
		return wanted, fmt.Errorf("--datasets: unknown dataset %q: use some of %s", unknown, strings.Join(dataset.Names(), ", "))
	}
	return wanted, nil
}

// hostName is what may stand in the name of a directory as it is.
func hostName() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$`) }

func runExportParquet(c *cobra.Command, s streams, o *parquetOptions, list []*rules.Rule, files []string) error {
	if o.dir == "" {
		return misuse(c, errors.New("parquet needs -o DIR, a directory to write to"))
	}
	host := cmp.Or(o.host, "unknown")
	wanted, err := datasetsOf(host, o.datasets)
	if err != nil {
		return misuse(c, err)
	}
	co := check.Options{Files: len(files)}
	if co.Selection, co.Config, err = o.load(list); err != nil {
		return misuse(c, err)
	}
	if wanted.Findings {
		co.Rules = list
	}
	bindings, err := bindingsFor(o.bindings, co.Rules)
	if err != nil {
		return err
	}
	captures := pipeline.Files{Names: files, Stdin: s.in}
	d := dataset.New(dataset.Options{
		Wanted: wanted, Dir: o.dir, Host: host, Names: files, Sizes: sizesOf(files),
		Rights: captures.Rights(), Program: "rdmacap " + version(),
	})
	input := o.pipeline(bindings)
	var out pipeline.Renderer
	if wanted.Findings || wanted.Connections {
		c := check.New(d.Form(), co)
		out, input = c, input.Checked(c)
	} else {
		plain := d.Plain()
		out, input.Part, input.Units = plain, plain.Part, wanted.Frames
	}
	input.Starts, input.Parted = d.Starts, true
	read := dissectWhole(c.Context(), s, files, out, input, o.quiet)
	status, told := errors.AsType[*statusError](read)
	whole := read == nil || told && status.code == exitUnusable && d.Opened()
	if err := d.Close(whole); err != nil {
		return err // with a file of DIR, not with standard output
	}
	if whole && !o.quiet {
		fmt.Fprintf(s.out, "%s: %s: %s\n", field.Visible(o.dir), d.Capture(), d.Counts())
	}
	return read
}

// sizesOf are those of files in bytes, -1 of what has none.
func sizesOf(files []string) (sizes []int64) {
	for _, name := range files {
		size := int64(-1)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		sizes = append(sizes, size)
	}
	return sizes
}
