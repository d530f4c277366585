package live

import (
	"testing"
	"testing/fstest"
)

func TestRDMADevice(t *testing.T) {
	root := fstest.MapFS{
		"sys/class/infiniband/mlx5_0/node_type": {}, "sys/class/infiniband/rxe0/node_type": {},
		"sys/class/net/eth0/mtu": {}, "sys/class/net/both/mtu": {}, "sys/class/infiniband/both/node_type": {},
	}
	for _, c := range []struct {
		names []string
		want  string
		port  int
	}{
		{[]string{"eth0"}, "", 0},
		{[]string{"mlx5_0"}, "mlx5_0", 1},
		{[]string{"mlx5_0:2"}, "mlx5_0", 2},
		{[]string{"mlx5_0:x"}, "", 0},
		{[]string{"mlx5_0:256"}, "", 0},
		{[]string{"eth0", "rxe0"}, "rxe0", 1},
		{[]string{"both"}, "", 0}, // which is a network interface first
		{[]string{"../net"}, "", 0},
		{[]string{"."}, "", 0},
		{[]string{""}, "", 0},
	} {
		if name, port, is := rdmaDevice(root, c.names); name != c.want && is || is != (c.want != "") || is && port != c.port {
			t.Errorf("-i %q: %q, port %d, %t", c.names, name, port, is)
		}
	}
}
