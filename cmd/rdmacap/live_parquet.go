package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/live"
	"github.com/rdmacap/rdmacap/internal/newfile"
	"github.com/rdmacap/rdmacap/report/dataset"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
)

// defaultRoll are the limits of Parquet files unless told otherwise.
const defaultRoll = "256MB,15m"

// parquetFlags are the flags of rdmacap live about Parquet files.
type parquetFlags struct {
	parquet  string // the directory
	roll     string
	host     string
	datasets string
}

func (o *parquetFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.parquet, "parquet", "", "write no rows, but datasets as Parquet in `DIR` (docs/fleet.md)")
	f.StringVar(&o.roll, "parquet-roll", defaultRoll, "`SIZE,TIME`: limits of the files of --parquet, after which others are begun")
	registerDataset(cmd, &o.host, &o.datasets, "this host's")
	_ = cmd.MarkFlagDirname("parquet") // a flag that does not exist a test would show
}

// registerDataset gives a command the flags about datasets; host says whose name is in them.
func registerDataset(cmd *cobra.Command, host, datasets *string, unless string) {
	f := cmd.Flags()
	f.StringVar(host, "host", "", "the `NAME` of the host, switch or port at which was captured (default: "+unless+")")
	f.StringVar(datasets, "datasets", "rpcs,messages,findings,connections", "the datasets in `LIST`: "+strings.Join(dataset.Names(), ", "))
	completeWith(cmd, "datasets", dataset.Names()...)
}

// use has a session write datasets instead of rows, if the flags ask for it.
func (o *parquetFlags) use(c *cobra.Command, all *liveOptions, x *live.Options) (*dataset.Dataset, error) {
	if o.parquet == "" {
		for _, name := range []string{"parquet-roll", "host", "datasets"} {
			if c.Flags().Changed(name) {
				return nil, fmt.Errorf("--%s needs --parquet DIR, a directory to write to", name)
			}
		}
		return nil, nil
	}
	for _, name := range []string{"level", "filter", "connection", "format", "brief", "top", "all", "color"} {
		if c.Flags().Changed(name) {
			return nil, fmt.Errorf("--parquet writes no rows and cannot be combined with --%s", name)
		}
	}
	d := dataset.Options{Dir: o.parquet, Host: o.host, Names: x.Shown.Names, Sizes: sizesOf(x.Shown.Names), Rights: newfile.All, Program: "rdmacap " + version()}
	if o.host == "" {
		name, err := os.Hostname()
		if err != nil {
			return nil, fmt.Errorf("--parquet needs --host NAME: %w", err)
		}
		d.Host = name
	}
	var err error
	if d.Wanted, err = datasetsOf(d.Host, o.datasets); err != nil {
		return nil, err
	}
	limits, err := keep.Limits{}.ParseLimits(defaultRoll)
	if err == nil {
		limits, err = limits.ParseLimits(o.roll)
	}
	if err == nil && limits.Count != 0 {
		err = errors.New("files are not deleted: give a size and a time")
	}
	if err != nil {
		return nil, fmt.Errorf("--parquet-roll: %w", err)
	}
	d.Roll = &dataset.Roll{Size: limits.Size, Every: limits.Age}
	if all.from != "" {
		d.Rights = filesOf(streams{}, []string{all.from}, true).Rights()
	}
	made := dataset.New(d)
	x.Form = func(io.Writer, listing.Options) draft.Form { return made.Live() }
	x.Found.Views = append(x.Found.Views, made.View())
	return made, nil
}

// finishParquet ends the files of a session, and reports them.
func finishParquet(s streams, d *dataset.Dataset, dir string, quiet bool, read error) error {
	if d == nil {
		return read
	}
	if err := d.Close(true); err != nil {
		return err // with a file of DIR, not with standard output
	}
	if !quiet {
		fmt.Fprintf(s.out, "%s: %s: %s\n", field.Visible(dir), d.Capture(), d.Counts())
	}
	return read
}
