//go:build !unix

package keep

// A dirLock is none on this system.
type dirLock struct{}

func lockDir(dir string) (*dirLock, error) {
	f, err := openDir(dir)
	if err != nil {
		return nil, err
	}
	f.Close()
	return &dirLock{}, nil
}

func (*dirLock) release() {}
