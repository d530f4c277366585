package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/internal/export"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/listing"
)

// exportOptions are the flags of rdmacap export objects.
type exportOptions struct {
	inputOptions
	dir    string
	filter string
	place  placeOptions
}

func newExport(s streams, list ruleList) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Extract file data, or datasets for many captures",
	}
	subcommandsOnly(cmd)
	cmd.AddCommand(newExportObjects(s), newExportParquet(s, list))
	return cmd
}

func newExportObjects(s streams) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "objects [flags] FILE... -o DIR",
		Short: "Reassemble the files that NFS READ and WRITE moved",
		Long: `Reassemble the file data that NFS READ, WRITE and READ_PLUS moved: one file for
each file handle and direction, and manifest.json, which describes each file and
lists the bytes that are missing from the capture. NFS 2, 3 and 4 are supported;
data may be inline or in chunks.

FILE is a capture as for rdmacap read. DIR is created, or must be empty. The
files are sparse: what no READ or WRITE moved, and what the capture lacks, reads
as zeros and takes no disk space.

Only data that a reply confirmed is written. Where ranges overlap, the RPC that
ended last wins.

Exit status: 0 if everything was read, even if bytes are missing (the table
says so); 2 if the command, one of its captures, or DIR could not be used.`,
		Example: `  rdmacap export objects trace.pcap -o out
  rdmacap export objects -q client.pcap server.pcap -o out
  jq -r '.[] | select(.missing == []) | "\(.sha256)  \(.file)"' \
    out/manifest.json | (cd out && sha256sum -c)`,
		RunE: func(c *cobra.Command, args []string) error { return runExportObjects(c, s, &o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.dir, "output", "o", "", "the directory `DIR` to write to; it must be new or empty")
	f.StringVarP(&o.filter, "filter", "Y", "", "export only what RPCs matching `EXPR` moved, as in 'nfs.fh.hash == 0x97099679' (docs/filter.md)")
	o.place.register(cmd)
	o.register(cmd, "no progress, no table")
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

func runExportObjects(c *cobra.Command, s streams, o *exportOptions, files []string) error {
	if o.dir == "" {
		return misuse(c, errors.New("objects needs -o DIR, a directory to write to"))
	}
	bindings, err := export.Bindings()
	if err != nil {
		return err
	}
	ask := asker{bindings: bindings}
	only, err := ask.filter(o.filter, listing.LevelRPC, &o.place)
	if err != nil {
		return err
	}
	rights := pipeline.Files{Names: files, Stdin: s.in}.Rights()
	options := export.Options{Quiet: o.quiet, Rights: rights}
	if only != nil {
		options.Only = only.RPC
	}
	objects, err := export.New(o.dir, s.out, options)
	if err != nil {
		return err
	}
	defer objects.Close()
	input := o.pipeline(bindings)
	input.Data, input.Starts = objects, ask.starts
	unusable := dissectPlace(c.Context(), s, files, objects, input, o.place, o.quiet)
	if failed := objects.Err(); failed != nil {
		return failed // with a file of DIR, not with standard output
	}
	return unusable
}
