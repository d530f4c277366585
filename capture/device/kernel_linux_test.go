package device_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/internal/veth"
)

// TestKernel asks about a pair of interfaces in a namespace of their own.
func TestKernel(t *testing.T) {
	p := veth.New(t)
	k, err := device.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	all, err := k.All()
	if err != nil || len(all) != 3 { // with lo
		t.Fatalf("%+v, %v", all, err)
	}
	x, err := k.Named(p.Far)
	if err != nil || x.Name != p.Far || !x.Up || !x.Carrier || x.MTU != 65535 || x.Type != device.TypeEthernet || !x.Capturable() {
		t.Errorf("%+v, %v", x, err)
	}
	if again, err := k.Numbered(x.Index); err != nil || again != x {
		t.Errorf("%+v, %v", again, err)
	}
	if speed := k.Speed(p.Far); speed != 10_000 { // which drivers/net/veth.c says
		t.Errorf("%d Mbit/s", speed)
	}
	if s := k.TimeStamping(p.Far); s.All {
		t.Errorf("a virtual card stamps frames: %+v", s)
	}
	if err := p.SetUp(p.Near, false); err != nil {
		t.Fatal(err)
	}
	if x, err := k.Named(p.Far); err != nil || !x.Up || x.Carrier {
		t.Errorf("with the other end down: %+v, %v", x, err)
	}
	for _, name := range []string{"nonesuch", "a-name-that-is-too-long-x", ""} {
		if _, err := k.Named(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := k.Numbered(9999); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestSurvey(t *testing.T) {
	m, err := device.Survey()
	if err != nil || len(m.Interfaces) == 0 || m.Program == "" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestRemedy(t *testing.T) {
	for want, o := range map[string]device.Offloads{
		"":                                      {},
		"ethtool -K eth0 gro off":               {GRO: true},
		"ethtool -K eth0 gro off lro off":       {GRO: true, LRO: true},
		"ethtool -K eth0 gro off rx-gro-hw off": {GRO: true, HWGRO: true},
	} {
		if got := o.Remedy("eth0"); got != want {
			t.Errorf("%+v: %q", o, got)
		}
	}
}
