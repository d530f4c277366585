package machine_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows/machine"
)

// machines are one where everything is there and one where nothing is.
func machines() (good, poor device.Machine) {
	good = device.Machine{
		Interfaces: []device.Card{{
			Interface: device.Interface{Name: "mirror0", Type: device.TypeEthernet, Up: true, Carrier: true, MTU: 9000},
			Speed:     100_000, TimeStamping: device.TimeStamping{All: true},
		}},
		Devices: []device.Device{{Name: "mlx5_0", Verbs: "/dev/infiniband/uverbs0", Ports: []device.Port{{
			Number: 1, State: "ACTIVE", Link: "Ethernet", Rate: "100 Gb/sec (4X EDR)",
			GIDs: []device.GID{{Index: 3, GID: "0000:0000:0000:0000:0000:ffff:0a00:0001", Type: "RoCE v2", Interface: "mirror0"}},
		}}}},
		NetRaw: true, NetAdmin: true, Libraries: []device.Library{{Name: "libibverbs.so.1", Found: true}},
	}
	poor = device.Machine{
		Interfaces: []device.Card{
			{Interface: device.Interface{Name: "lo", Type: device.TypeLoopback, Up: true, Carrier: true}, Offloads: device.Offloads{GRO: true}},
			{Interface: device.Interface{Name: "eth0", Type: device.TypeEthernet, Up: true}, Offloads: device.Offloads{GRO: true, LRO: true}, Speed: 2500},
			{Interface: device.Interface{Name: "eth1", Type: device.TypeEthernet}},
			{Interface: device.Interface{Name: "ib0", Type: device.TypeInfiniBand, Up: true}},
			{Interface: device.Interface{Name: "tun0", Type: 0xFFFE, Up: true}},
		},
		Program: "/usr/bin/rdmacap", Libraries: []device.Library{{Name: "libibverbs.so.1"}},
	}
	return good, poor
}

func TestMachine(t *testing.T) {
	good, poor := machines()
	built := good
	built.NoVerbs = true
	for name, test := range map[string]struct {
		machine       device.Machine
		wanted, never []string
	}{
		"all there": {
			good, []string{
				"mirror0          up                100 Gbit/s     MTU 9000    timestamps by the adapter\n", "mlx5_0 port 1    ACTIVE            Ethernet       100 Gb/sec (4X EDR)  mirror0\n",
				"GID 3    0000:0000:0000:0000:0000:ffff:0a00:0001  RoCE v2  mirror0\n", "CAP_NET_RAW      yes",
			},
			[]string{"ethtool", "setcap", "ip link", "rdma link", "install", " no "},
		},
		"nothing there": {
			poor, []string{
				"eth0             up, no link       2500 Mbit/s ", "ethtool -K eth0 gro off lro off\n", "ip link set eth1 up\n",
				"RDMA traffic is not visible on IP over InfiniBand; capture on the device: ibdump -w - | rdmacap live -r -\n", "is not Ethernet and cannot be captured\n",
				"rdma link add rxe0 type rxe netdev eth0\n", "setcap cap_net_raw+ep /usr/bin/rdmacap\n", "apt install libibverbs1",
			},
			[]string{"ethtool -K lo", "ethtool -K eth1", " yes "},
		},
		"a build without verbs": {
			built, []string{"libibverbs.so.1  no   to use RDMA devices\n      this build of rdmacap cannot use it: it needs a build for Linux on amd64 or arm64 without the tag noverbs\n"},
			[]string{"install"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := machine.Write(&text, &test.machine, 0); err != nil {
				t.Fatal(err)
			}
			for _, want := range test.wanted {
				if !strings.Contains(text.String(), want) {
					t.Errorf("%q is not in\n%s", want, text.String())
				}
			}
			for _, never := range test.never {
				if strings.Contains(text.String(), never) {
					t.Errorf("%q is in\n%s", never, text.String())
				}
			}
		})
	}
}

func TestMachineJSON(t *testing.T) {
	good, poor := machines()
	for _, m := range []device.Machine{good, poor} {
		var array, lines bytes.Buffer
		if record.WriteMachine(&array, true, &m) != nil || record.WriteMachine(&lines, false, &m) != nil {
			t.Fatal("it cannot be written")
		}
		var list []map[string]any
		if err := json.Unmarshal(array.Bytes(), &list); err != nil {
			t.Fatalf("%v: %s", err, array.String())
		}
		if n := len(m.Interfaces) + len(m.Devices) + 1; len(list) != n || strings.Count(lines.String(), "\n") != n {
			t.Errorf("%d records, %d lines; want %d", len(list), strings.Count(lines.String(), "\n"), n)
		}
		if x := list[0]; x["type"] != "interface" || x["name"] != m.Interfaces[0].Name || x["mtu"] != float64(m.Interfaces[0].MTU) {
			t.Errorf("%v", x)
		}
	}
	var poorly bytes.Buffer
	if err := record.WriteMachine(&poorly, false, &poor); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"speed_mbps":2500`, `"merging":["gro","lro"]`, `"command":"ethtool -K eth0 gro off lro off"`,
		`"cap_net_raw":{"have":false,"for":"to capture on interfaces","remedy":"setcap cap_net_raw+ep /usr/bin/rdmacap"}`,
	} {
		if !strings.Contains(poorly.String(), want) {
			t.Errorf("%s is not in\n%s", want, poorly.String())
		}
	}
}
