package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "rdmacap",
		Short: "Dissect NFS over RDMA captures",
		Long: `rdmacap reads RDMA traffic from capture files and says, in the words of NFS,
what happened: connections, RPC-over-RDMA messages, RPCs and the chunks they used.`,
		Example: `  rdmacap read trace.pcap                       one row an RPC
  rdmacap read --level frame -V trace.pcapng    every frame with all its fields
  rdmacap read --format ndjson trace.pcap.zst   one JSON object a line`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w\nSee '%s --help'.", err, c.CommandPath())
	})
	root.AddCommand(newRead(s), newVersion(s))
	return root
}
