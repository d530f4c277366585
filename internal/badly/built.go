package main

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
)

// conversation is what no sample that ships has: iWARP over IPv6. Calls and replies are inline, with Read and Write chunks, and long.
const conversation = `connect clientaddr=2001:db8::2 serveraddr=2001:db8::1
call 1 NFS3 NULL
reply 1
repeat 12
call $*5 NFS3 GETATTR
reply $*5
call $*5+1 NFS3 READ file="filehandle" count=3000
    write $*16+0x1001 3000
reply $*5+1 data=bytes(3000)
call $*5+2 NFS3 WRITE file="filehandle" count=5000 data=bytes(5000)
    read $*16+0x1002 5000
reply $*5+2 count=5000
call $*5+3 NFS3 READDIR count=1000
    replychunk $*16+0x1003 4096
reply $*5+3
call $*5+4 NFS4 COMPOUND [PUTFH{object="fh"} GETATTR]
reply $*5+4
end
disconnect
`

// overIPv6 makes the sample of the conversation.
func overIPv6(list []*rules.Rule) (*sample, error) {
	played, err := scene.Play(conversation, scene.IWARP)
	if err != nil {
		return nil, fmt.Errorf("the conversation over IPv6: %w", err)
	}
	source, err := played.Source()
	if err != nil {
		return nil, err
	}
	s := &sample{name: "iwarp-ipv6, built"}
	for f := new(capture.Frame); source.Next(f) == nil; {
		f.Data = slices.Clone(f.Data)
		s.frames = append(s.frames, *f)
	}
	s.whole, err = observe(list, slices.Clone(s.frames))
	return s, err
}
