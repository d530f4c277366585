package main

import (
	"embed"
	"fmt"
	"strings"
)

// The files of package skeleton: the document and the checks of the rule HDR-000. They are embedded as
// they are compiled and tested.
//
//go:embed skeleton/hdr000.rule skeleton/message.go skeleton/rpc.go skeleton/frame.go skeleton/access.go skeleton/setup.go skeleton/end.go skeleton/tick.go
var skeleton embed.FS

// A hook is an event that a new rule may begin with: one of those that package rules calls OnMessage, OnRPC, …
type hook struct {
	name  string // of its file in package skeleton, and of the function in that
	about string
	fires string // the sample in which the rule must find something
}

// Samples that a rule may begin with; the document of the skeleton has inReply.
const (
	plain        = "call 1 NFS3 NULL\nreply 1\n"
	inReply      = plain + "    want HDR-000\n"
	inConnection = plain + "want HDR-000\n"
	inWrite      = "call 1 NFS3 READ file=\"fh\" offset=0 count=100\n    write 0x100 4096\nrdma write server 0x100 100\n    want HDR-000\n" +
		"reply 1 data=bytes(100)\n    place 1 none\n"
	late = "call 1 NFS3 NULL\nwait 5s\nreply 1\nwant HDR-000\n"
)

// hooks returns those that there are.
func hooks() []hook {
	return []hook{
		{"message", "each RPC-over-RDMA message", inReply},
		{"rpc", "an RPC that is complete or given up", inReply},
		{"frame", "each frame", inReply},
		{"access", "RDMA Writes, Reads and their responses", inWrite},
		{"setup", "a connection that is established, or whose setup failed or was not captured", inConnection},
		{"end", "a connection that is over", inConnection},
		{"tick", "something that does not happen in time", late},
	}
}

// hookOf returns the hook of a name.
func hookOf(name string) (hook, error) {
	for _, h := range hooks() {
		if h.name == name {
			return h, nil
		}
	}
	return hook{}, fmt.Errorf("there is no hook %q; -on is one of these:\n%s", name, listOfHooks())
}

// listOfHooks has a line for each.
func listOfHooks() string {
	var b strings.Builder
	for _, h := range hooks() {
		fmt.Fprintf(&b, "  %-9s %s\n", h.name, h.about)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// document returns that of the skeleton, with the sample of the hook.
func (h hook) document() string {
	return strings.Replace(h.file("hdr000.rule"), inReply, h.fires, 1)
}

// check returns the check of the skeleton.
func (h hook) check() string { return h.file(h.name + ".go") }

// file returns a file of the skeleton.
func (h hook) file(name string) string {
	text, err := skeleton.ReadFile("skeleton/" + name)
	if err != nil {
		panic("newrule: " + err.Error()) // it is embedded
	}
	return string(text)
}
