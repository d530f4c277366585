package xdr

import "testing"

// FuzzCursor takes the bytes of plan as a list of reads to do on data.
func FuzzCursor(f *testing.F) {
	for i, item := range items {
		f.Add([]byte(item.bytes), []byte{byte(i), byte(i + 1), 5})
	}
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), []byte{4, 5})
	f.Fuzz(func(t *testing.T, data, plan []byte) {
		c := NewCursor(data, "cut short")
		for _, step := range plan {
			before, bad := c.Offset(), c.Bad()
			fault := c.Fault()
			size := 0
			switch arg := int(step) / 8; step % 8 {
			case 0:
				c.Uint32()
				size = 4
			case 1:
				c.Uint64()
				size = 8
			case 2:
				c.Bool()
				size = 4
			case 3:
				c.Skip(arg)
				size = arg
			case 4:
				got := len(c.Fixed(arg))
				if !c.Bad() && got != arg {
					t.Fatalf("Fixed(%d) gave %d bytes", arg, got)
				}
				size = (arg + 3) / 4 * 4
			case 5:
				got := len(c.Opaque(arg))
				if got > arg {
					t.Fatalf("Opaque(%d) gave %d bytes", arg, got)
				}
				size = 4 + (got+3)/4*4
			case 6:
				got := c.Count(1000, 1+arg)
				if got*(1+arg) > c.Remaining() {
					t.Fatalf("Count gave %d elements of %d bytes where %d are left", got, 1+arg, c.Remaining())
				}
				size = 4
			case 7:
				c.Fail(arg, "failed")
			}
			switch {
			case bad && (c.Fault() != fault || c.Offset() != before):
				t.Fatalf("fault %q at byte %d became %q at byte %d", fault, before, c.Fault(), c.Offset())
			case c.Bad() && c.Remaining() != 0:
				t.Fatalf("%d bytes left after the fault %q", c.Remaining(), c.Fault())
			case !c.Bad() && (c.Offset() != before+size || c.Remaining() != len(data)-c.Offset()):
				t.Fatalf("step %d moved from byte %d to %d, want %d bytes; %d left of %d", step, before, c.Offset(), size, c.Remaining(), len(data))
			case c.Offset() > len(data):
				t.Fatalf("byte %d of %d", c.Offset(), len(data))
			}
		}
	})
}
