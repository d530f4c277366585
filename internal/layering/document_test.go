package layering

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the folder of the module.
const root = "../.."

// architecture is what docs/architecture.md says.
func architecture(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// quotedPath is a path in backquotes; without a slash it may be anything.
var quotedPath = regexp.MustCompile("`([A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*)`")

// missingPaths are the files and folders of ours that a text names and that are not there. Ours
// is what begins with a folder of the module: hash/crc32 does not. It also returns how many it
// names.
func missingPaths(text string) (missing []string, named int) {
	for _, quoted := range quotedPath.FindAllStringSubmatch(text, -1) {
		path := quoted[1]
		top, _, _ := strings.Cut(path, "/")
		if _, err := os.Stat(filepath.Join(root, top)); err != nil {
			continue
		}
		named++
		if _, err := os.Stat(filepath.Join(root, path)); err != nil {
			missing = append(missing, path)
		}
	}
	return missing, named
}

// TestArchitectureNamesWhatThereIs holds that each file or folder of ours that
// docs/architecture.md names is there.
func TestArchitectureNamesWhatThereIs(t *testing.T) {
	missing, named := missingPaths(architecture(t))
	for _, path := range missing {
		t.Errorf("docs/architecture.md names %s, which is not there", path)
	}
	if named < 100 {
		t.Errorf("docs/architecture.md names %d files and folders: are they in backquotes?", named)
	}
	if got, _ := missingPaths("`report/nothing.go`, `internal/live/doc.go`, `docs/none.md`, `hash/crc32`"); len(got) != 2 {
		t.Errorf("of four paths, two of which are not there, these are missing: %v", got)
	}
}

// goCommand is a command of the go tool in backquotes.
var goCommand = regexp.MustCompile("`go (test|generate) ([^`]*)`")

// TestArchitectureCommands holds that the commands of docs/architecture.md do something: their
// packages are there, and have tests that -run names, a flag -update, or something to generate.
func TestArchitectureCommands(t *testing.T) {
	commands := goCommand.FindAllStringSubmatch(architecture(t), -1)
	if len(commands) < 15 {
		t.Errorf("docs/architecture.md has %d commands", len(commands))
	}
	for _, c := range commands {
		if err := useless(c[1], strings.Fields(c[2])); err != nil {
			t.Errorf("docs/architecture.md: %s: %v", c[0], err)
		}
	}
	for _, bad := range []string{"test ./internal/query -run NoSuchTest", "test ./internal/query/none", "test ./internal/stats -update", "generate ./internal/stats", "test -run Document"} {
		args := strings.Fields(bad)
		if useless(args[0], args[1:]) == nil {
			t.Errorf("go %s was let through", bad)
		}
	}
}

// useless says why a command of the go tool does nothing, nil if it does something.
func useless(command string, args []string) error {
	var folders []string
	want := map[string]string{"test": `(?m)^func Test`, "generate": `(?m)^//go:generate `}[command]
	wants := []string{want}
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-run" && i+1 < len(args):
			i++
			wants[0] = want + `\w*` + args[i]
		case args[i] == "-update":
			wants = append(wants, `flag\.Bool\("update"`)
		default:
			folders = append(folders, args[i])
		}
	}
	if len(folders) == 0 {
		return fmt.Errorf("it names no package")
	}
	for _, f := range folders {
		sources, err := goSources(f)
		if err != nil {
			return err
		}
		for _, w := range wants {
			if !regexp.MustCompile(w).MatchString(sources) {
				return fmt.Errorf("nothing in %s matches %s", f, w)
			}
		}
	}
	return nil
}

// goSources is the text of all Go files of a package, or for ./folder/... of all in a folder.
func goSources(pattern string) (string, error) {
	folder, deep := strings.CutSuffix(pattern, "/...")
	var b strings.Builder
	err := eachFile(filepath.Join(root, folder), func(path string) error {
		if !strings.HasSuffix(path, ".go") || !deep && strings.Contains(path, "/") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, folder, path))
		b.Write(text)
		return err
	})
	return b.String(), err
}

// eachFile calls a function for each file in a folder and below, with its path from there. What is
// hidden, and what npm brings, is left out.
func eachFile(folder string, do func(path string) error) error {
	return filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		from, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(from))
	})
}
