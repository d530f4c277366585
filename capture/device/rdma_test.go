package device_test

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/rdmacap/rdmacap/capture/device"
)

// TestDevices reads a sysfs as a Linux 6.1 machine with rdma_rxe and mlx5 has it.
func TestDevices(t *testing.T) {
	root := fstest.MapFS{}
	for name, text := range map[string]string{
		"infiniband/rxe0/ports/1/state":             "4: ACTIVE\n",
		"infiniband/rxe0/ports/1/link_layer":        "Ethernet\n",
		"infiniband/rxe0/ports/1/rate":              "2.5 Gb/sec (1X SDR)\n",
		"infiniband/rxe0/ports/1/gids/0":            "fe80:0000:0000:0000:5054:00ff:fe12:3456\n",
		"infiniband/rxe0/ports/1/gids/1":            "0000:0000:0000:0000:0000:ffff:0a00:0001\n",
		"infiniband/rxe0/ports/1/gids/2":            "0000:0000:0000:0000:0000:0000:0000:0000\n",
		"infiniband/rxe0/ports/1/gid_attrs/types/0": "RoCE v2\n",
		"infiniband/rxe0/ports/1/gid_attrs/types/1": "RoCE v2\n",
		"infiniband/rxe0/ports/1/gid_attrs/ndevs/0": "eth0\n",
		"infiniband/rxe0/ports/1/gid_attrs/ndevs/1": "eth0\n",
		"infiniband/mlx5_0/ports/1/state":           "1: DOWN\n",
		"infiniband/mlx5_0/ports/1/link_layer":      "InfiniBand\n",
		"infiniband/mlx5_0/ports/1/rate":            "100 Gb/sec (4X EDR)\n",
		"infiniband/mlx5_0/ports/1/gids/0":          "fe80:0000:0000:0000:0000:0000:0000:0000\n",
		"infiniband_verbs/abi_version":              "6\n",
		"infiniband_verbs/uverbs0/ibdev":            "rxe0\n",
	} {
		root["sys/class/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	got, err := device.Devices(root)
	want := []device.Device{
		{Name: "mlx5_0", Ports: []device.Port{{Number: 1, State: "DOWN", Link: "InfiniBand", Rate: "100 Gb/sec (4X EDR)"}}},
		{Name: "rxe0", Verbs: "/dev/infiniband/uverbs0", Ports: []device.Port{{
			Number: 1, State: "ACTIVE", Link: "Ethernet", Rate: "2.5 Gb/sec (1X SDR)", GIDs: []device.GID{
				{0, "fe80:0000:0000:0000:5054:00ff:fe12:3456", "RoCE v2", "eth0"},
				{1, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth0"},
			},
		}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want\n%+v", got, err, want)
	}
	if p := &got[1].Ports[0]; !p.Active() || !reflect.DeepEqual(p.Interfaces(), []string{"eth0"}) {
		t.Errorf("active %v, of %v", p.Active(), p.Interfaces())
	}
	if got, err := device.Devices(fstest.MapFS{}); got != nil || err != nil {
		t.Errorf("without a driver: %v, %v", got, err)
	}
}
