//go:build !linux

package live

// DropsOf are none.
func (*Source) DropsOf(int) Drops { return Drops{} }
