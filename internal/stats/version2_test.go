package stats_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// TestCreditsOfLoneMessages counts credits of messages that are neither call nor
// reply, each by its direction.
func TestCreditsOfLoneMessages(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	init := build.XcharInit(nil, nil)
	c.Message2(build.ToServer, build.Header2{XID: 1, Credits: 7, Proc: build.OPTIONAL, Option: build.InitXchar, Info: init})
	c.Message2(build.ToClient, build.Header2{XID: 1, Credits: 9, Proc: build.ERROR, Err: build.Err2InvalidOption})
	c.Message2(build.ToClient, build.Header2{XID: 2, Credits: 3, Proc: build.OPTIONAL, Option: build.InitXchar, Info: init})
	c.Message2(build.ToServer, build.Header2{XID: 3, Credits: 5, Proc: build.OPTIONAL, Direction: build.DirectionReply, Option: 99, Info: init})
	c.Call(build.NFS3Null(4), build.Version2{})
	c.Message2(build.ToClient, build.Header2{XID: 4, Credits: 1, Proc: build.ERROR, Err: build.Err2CantReply})
	c.Disconnect()
	_, e := tell(t, c.Frames)
	if up := e.up; up.Count != 1 || up.Requested.Count != 2 || up.Requested.Min != 7 || up.Granted.Count != 2 || up.Granted.Max != 9 || up.Granted.Last != 1 {
		t.Errorf("calls to the server: %+v", up)
	}
	if down := e.down; down.Count != 0 || down.Requested.Last != 3 || down.Granted.Last != 5 || down.Granted.Count != 1 {
		t.Errorf("calls to the client: %+v", down)
	}
	if row := e.rows["NFS3 NULL"]; row == nil {
		t.Errorf("rows %v", e.rows)
	} else if errors, _ := row.Errors.List(); len(errors) != 1 || errors[0].Name != "RDMA2_ERR_CANT_REPLY" {
		t.Errorf("errors %v", errors)
	}
}
