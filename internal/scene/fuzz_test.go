package scene

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// FuzzPlay holds that any text is a scene or an *Error that names one of its
// lines.
func FuzzPlay(f *testing.F) {
	f.Add(conversation)
	for _, name := range []string{"testdata/messages.txt", "testdata/version2.txt", "testdata/traffic.txt"} {
		all, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, tt := range strings.Split(string(all), "== ")[1:] {
			_, text, _ := strings.Cut(tt, "\n")
			text, _, _ = strings.Cut(text, "--\n")
			f.Add("connect\n" + text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, over := range []Transport{RoCE, IWARP} {
			scene, err := Play(text, over)
			var e *Error
			switch {
			case err == nil:
				if _, err := scene.Source(); err != nil {
					t.Error(err)
				}
			case !errors.As(err, &e):
				t.Errorf("%T: %v", err, err)
			case e.Line < 1 || e.Line > strings.Count(text, "\n")+1:
				t.Errorf("there is no line %d", e.Line)
			}
		}
	})
}
