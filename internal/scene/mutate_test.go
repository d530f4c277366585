package scene

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMutatedTexts exchanges words of the samples for one another. What comes of
// it is a scene or an *Error.
func TestMutatedTexts(t *testing.T) {
	var texts [][]string
	var pool []string
	for _, s := range slices.Concat(samples(t, "testdata/messages.txt"), samples(t, "testdata/version2.txt"), samples(t, "testdata/traffic.txt")) {
		words := tokens("connect\n" + s.text)
		texts, pool = append(texts, words), append(pool, words...)
	}
	pool = append(pool, "0", "-1", "1", "0xffffffff", "4096", "+4", "none", "empty", "all", "frame", "at", "item")
	rnd := rand.New(rand.NewPCG(1, 2))
	played, refused := 0, 0
	for range 1000 {
		text := slices.Clone(texts[rnd.IntN(len(texts))])
		for range 1 + rnd.IntN(3) {
			i := rnd.IntN(len(text))
			switch rnd.IntN(4) {
			case 0:
				text = slices.Delete(text, i, i+1)
			case 1:
				text = slices.Insert(text, i, pool[rnd.IntN(len(pool))], " ")
			default:
				text[i] = pool[rnd.IntN(len(pool))]
			}
			if len(text) == 0 {
				break
			}
		}
		for _, over := range []Transport{RoCE, IWARP} {
			var e *Error
			switch _, err := Play(strings.Join(text, ""), over); {
			case err == nil:
				played++
			case errors.As(err, &e):
				refused++
			default:
				t.Fatal(err)
			}
		}
	}
	if played < 100 || refused < 100 {
		t.Errorf("%d were played, %d refused", played, refused)
	}
}

// tokens are the words of a text and what stands between them.
func tokens(s string) (list []string) {
	for s != "" {
		n := strings.IndexAny(s, " \n=[]{}()+@/,.")
		if n <= 0 {
			n = max(1, n)
			if !strings.ContainsAny(s, " \n=[]{}()+@/,.") {
				n = len(s)
			}
		}
		list, s = append(list, s[:n]), s[n:]
	}
	return list
}
