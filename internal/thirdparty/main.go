package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("thirdparty: ")
	if len(os.Args) != 3 {
		log.Fatal("it takes two arguments: the list of modules that cyclonedx-gomod wrote, and the folder of the module")
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

// write writes THIRD-PARTY in a folder once all that goes into it has been found.
func write(bom, root string) error {
	licences, err := readBOM(bom)
	if err != nil {
		return err
	}
	parts, err := everything(root, licences)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	print(&text, parts)
	return os.WriteFile(filepath.Join(root, "THIRD-PARTY"), text.Bytes(), 0o644)
}

// everything is what a released program contains that is not of this project: Go itself, modules,
// and packages of the page.
func everything(root string, licences map[string]string) ([]part, error) {
	std, err := goItself()
	if err != nil {
		return nil, err
	}
	modules, err := linked(root)
	if err != nil {
		return nil, err
	}
	parts := []part{std}
	for _, m := range modules {
		p, err := partOf(m, licences)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	packages, err := shipped(root)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if p.texts, err = licenceFiles(p.folder, nil); err != nil {
			return nil, err
		}
		parts = append(parts, p.part)
	}
	return parts, nil
}
