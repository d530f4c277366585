package rocev2

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// A cmScalar is a scalar of a decoded message and the field it stands for.
type cmScalar struct {
	key   string
	value uint64
}

// cmScalars lists what Decode reads of each kind of message. The keys with
// "mad." are of the MAD header.
func cmScalars(c *CM) []cmScalar {
	list := []cmScalar{{"mad.method", uint64(c.Method)}, {"mad.status", uint64(c.Status)},
		{"mad.transactionid", c.TransactionID}, {"mad.attributeid", uint64(c.Kind)}}
	local, remote := cmScalar{"localcommid", uint64(c.LocalCommID)}, cmScalar{"remotecommid", uint64(c.RemoteCommID)}
	service := cmScalar{"serviceid", c.ServiceID}
	switch c.Kind {
	case CMReq:
		return append(list, local, service, cmScalar{"localqpn", uint64(c.QPN)}, cmScalar{"startingpsn", uint64(c.StartingPSN)},
			cmScalar{"responderresources", uint64(c.ResponderResources)}, cmScalar{"initiatordepth", uint64(c.InitiatorDepth)},
			cmScalar{"rnrretrycount", uint64(c.RNRRetryCount)}, cmScalar{"retrycount", uint64(c.RetryCount)},
			cmScalar{"transport", uint64(c.TransportType)}, cmScalar{"exttransport", uint64(c.ExtTransport)},
			cmScalar{"primary_acktimeout", uint64(c.LocalACKTimeout)})
	case CMRep:
		return append(list, local, remote, cmScalar{"localqpn", uint64(c.QPN)}, cmScalar{"startingpsn", uint64(c.StartingPSN)},
			cmScalar{"responderresources", uint64(c.ResponderResources)}, cmScalar{"initiatordepth", uint64(c.InitiatorDepth)},
			cmScalar{"rnrretrycount", uint64(c.RNRRetryCount)})
	case CMRej:
		return append(list, local, remote, cmScalar{"message", uint64(c.Rejected)}, cmScalar{"reason", uint64(c.Reason)})
	case CMMra:
		return append(list, local, remote, cmScalar{"message", uint64(c.Rejected)}, cmScalar{"servicetimeout", uint64(c.ServiceTimeout)})
	case CMRtu, CMDrep:
		return append(list, local, remote)
	case CMDreq, CMLap:
		return append(list, local, remote, cmScalar{"remoteqpn", uint64(c.QPN)})
	case CMSidrReq:
		return append(list, cmScalar{"requestid", uint64(c.LocalCommID)}, service)
	case CMSidrRep:
		return append(list, cmScalar{"requestid", uint64(c.LocalCommID)}, service, cmScalar{"qpn", uint64(c.QPN)}, cmScalar{"status", uint64(c.Result)})
	case CMApr:
		return append(list, local, remote, cmScalar{"status", uint64(c.Result)})
	}
	return list
}

// cmField finds the field of a key of cmScalars and the byte its table begins at.
func cmField(k CMKind, key string) (*field.Field, int) {
	if key, ok := strings.CutPrefix(key, "mad."); ok {
		return madTable.Lookup(key), 0
	}
	return k.table().Lookup(key), MADHeaderSize
}

// randomMAD is a MAD with the header of a message of that kind, random
// elsewhere.
func randomMAD(random *rand.ChaCha8, k CMKind) []byte {
	b := make([]byte, MADSize)
	random.Read(b)
	b[0], b[1], b[2], b[3] = MADBaseVersion, MgmtClassCM, CMClassVersion, MethodSend
	b[16], b[17] = 0, byte(k)
	return b
}

func TestCMScalarsAgainstTables(t *testing.T) {
	random := rand.NewChaCha8([32]byte{})
	for k := CMReq; k <= CMApr; k++ {
		for range 50 {
			b := randomMAD(random, k)
			var c CM
			c.Decode(b)
			for _, s := range cmScalars(&c) {
				f, at := cmField(k, s.key)
				if f == nil {
					t.Fatalf("%v: no field %q", k, s.key)
				}
				if want := f.Uint(b[at:]); s.value != want {
					t.Errorf("%v %s: Decode has %#x, the table %#x", k, s.key, s.value, want)
				}
			}
			checkCMLengths(t, &c, b)
		}
	}
}

// checkCMLengths holds Info and the PathMTU against their tables.
func checkCMLengths(t *testing.T, c *CM, b []byte) {
	t.Helper()
	table, body := c.Kind.table(), b[MADHeaderSize:]
	if f := table.Lookup("infolength"); f != nil {
		n := int(f.Uint(body))
		at := MADHeaderSize + table.Lookup("info").Start()
		if want := b[at : at+min(n, infoSize)]; string(c.Info) != string(want) || (n > infoSize) != c.Fault.Bad() {
			t.Errorf("%v: %d bytes of information, fault %q, the length says %d", c.Kind, len(c.Info), c.Fault, n)
		}
	} else if c.Info != nil {
		t.Errorf("%v has no additional information, but Info is %x", c.Kind, c.Info)
	}
	if c.Kind == CMReq {
		want := map[uint64]int{1: 256, 2: 512, 3: 1024, 4: 2048, 5: 4096}[table.Lookup("pathmtu").Uint(body)]
		if c.PathMTU != want {
			t.Errorf("path MTU %d, the table's code means %d", c.PathMTU, want)
		}
	}
	if c.PrivateDataOffset != MADHeaderSize+table.Size() {
		t.Errorf("%v: private data at %d, the table ends at %d", c.Kind, c.PrivateDataOffset, MADHeaderSize+table.Size())
	}
}

func TestIPCMAgainstTable(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for i := range 50 {
		b := randomMAD(random, CMReq)
		copy(b[MADHeaderSize+8:], []byte{0, 0, 0, 0, 1}) // a service of the IP CM service
		h := b[MADHeaderSize+reqPrivate:]
		h[0], h[1] = 0, 4<<4|h[1]&15
		if i%2 != 0 {
			h[1] ^= 4<<4 ^ 6<<4
		}
		var c CM
		if c.Decode(b); !c.IP.Valid || c.Fault.Bad() || c.PrivateDataOffset != MADHeaderSize+reqPrivate+ipcmTable.Size() {
			t.Fatalf("IP %+v, fault %q, private data at %d", c.IP, c.Fault, c.PrivateDataOffset)
		}
		if want := ipcmTable.Lookup("srcport").Uint(h); uint64(c.IP.SrcPort) != want {
			t.Errorf("source port %d, the table has %d", c.IP.SrcPort, want)
		}
		for key, addr := range map[string]string{"src": string(c.IP.Src.IP().AsSlice()), "dst": string(c.IP.Dst.IP().AsSlice())} {
			f := ipcmTable.Lookup(key)
			data := string(h[f.Start():f.End()])
			if want := data[16-len(addr):]; addr != want {
				t.Errorf("%s %x, the table has %x", key, addr, data)
			}
		}
		if v := ipcmTable.Lookup("ipver").Uint(h); (v == 4) != c.IP.Src.IP().Is4() {
			t.Errorf("IP version %d, source %v", v, c.IP.Src)
		}
		if got, want := uint64(c.IP.DstPort), c.ServiceID&0xffff; got != want || uint64(c.IP.Protocol) != c.ServiceID>>16&0xff {
			t.Errorf("protocol %d port %d from service ID %#x", c.IP.Protocol, got, c.ServiceID)
		}
	}
}

// Every bit of a header up to its private data is in one field, every key is
// there once, and the sizes are those of the specification.
func TestCMTablesAreWhole(t *testing.T) {
	sizes := map[string]int{"mad": 24, "cm.req": 140, "cm.mra": 10, "cm.rej": 84, "cm.rep": 36, "cm.rtu": 8, "cm.dreq": 12, "cm.drep": 8,
		"cm.sidr_req": 16, "cm.sidr_rep": 96, "cm.lap": 64, "cm.apr": 84, "cm.ip": 36}
	if len(CMTables()) != len(sizes) {
		t.Errorf("%d tables, want %d", len(CMTables()), len(sizes))
	}
	for _, table := range CMTables() {
		next, keys := 0, map[string]bool{}
		for _, f := range table.Fields {
			if f.Bit != next {
				t.Errorf("%s.%s begins at bit %d, the field before ends at %d", table.Key, f.Key, f.Bit, next)
			}
			if keys[f.Key] {
				t.Errorf("%s.%s is there twice", table.Key, f.Key)
			}
			if f.Name == "" || f.Key == "" || f.Doc == "" {
				t.Errorf("%s: field %+v lacks a name, key or text", table.Key, f)
			}
			keys[f.Key] = true
			next = f.Bit + f.Width
		}
		if next != 8*sizes[table.Key] || table.Size() != sizes[table.Key] {
			t.Errorf("%s ends at bit %d, want %d bytes", table.Key, next, sizes[table.Key])
		}
	}
}

func TestCMTableOfKind(t *testing.T) {
	for k := CMKind(0); k < 0x40; k++ {
		table := k.table()
		if (table != nil) != k.IsMessage() {
			t.Errorf("%v: table %v", k, table)
		}
		if table != nil && (table.Name != k.String() || table.Title+" ("+table.Name+")" != k.Title()) {
			t.Errorf("%v, %s: table %s, %s", k, k.Title(), table.Name, table.Title)
		}
	}
}
