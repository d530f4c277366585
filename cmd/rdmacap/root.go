package main

import (
	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/internal/replay/verbs"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

func newRoot(s streams) *cobra.Command { return rootOf(s, catalogue.All) }

// rootOf is the command with these rules.
func rootOf(s streams, list ruleList) *cobra.Command {
	wantVersion := false
	root := &cobra.Command{
		Use:   "rdmacap",
		Short: "Dissect NFS over RDMA captures",
		Long: `rdmacap reads RDMA traffic from capture files and network interfaces and shows
what happened in terms of NFS: connections, RPC-over-RDMA messages, RPCs and
the chunks they used, and what was wrong.`,
		Example: `  rdmacap read trace.pcap                       # one row per RPC
  rdmacap read --level frame -x trace.pcapng    # every field of every frame
  rdmacap read --format ndjson trace.pcap.zst   # one JSON object per line
  rdmacap check trace.pcap                      # which rules were broken`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return misuse(c, unknownCommand(c, args[0]))
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if wantVersion {
				return printVersion(s)
			}
			return c.Help()
		},
	}
	root.Flags().BoolVarP(&wantVersion, "version", "v", false, "print the version, as rdmacap version does")
	root.SuggestionsMinimumDistance = 2
	root.SetIn(s.in)
	root.SetOut(&helpOutput{to: s.out})
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagMisuse)
	root.AddCommand(newRead(s), newFollow(s, list), newCheck(s, list), newRules(s, list), newReport(s, list), newAnnotate(s, list), newExport(s, list), newCut(s), newStats(s), newLive(s, list), newReplay(s, verbs.New(verbs.Library, verbs.ManagerLibrary)), newInterfaces(s), newVersion(s))
	registerHelp(root)
	return root
}
