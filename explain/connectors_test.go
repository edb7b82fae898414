package explain

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"tidemark/storage"
)

// TestEveryConditionOfConnectorsIsKnown holds that each condition in Kafka's catalogue, and each of the streaming source
// and sink in Delta Lake's, is known by its name, and that it says what is compared or what decides it.
func TestEveryConditionOfConnectorsIsKnown(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{"testdata/conditions_kafka.txt": 18, "testdata/conditions_delta.txt": 80} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n := 0
		for lines := bufio.NewScanner(f); lines.Scan(); {
			name, _, _ := strings.Cut(lines.Text(), " ")
			if name == "#" {
				continue
			}
			n++
			c, _ := recognise([]Cause{{Message: "[" + name + "] something"}})
			switch {
			case c == nil || c.Name != name:
				t.Errorf("%s: %s is taken for %+v", file, name, c)
			case c.Compares == "" && c.Decides == "":
				t.Errorf("%s: %s says neither what is compared nor what decides it", file, name)
			case c.look != nil && c.Compares == "" || c.look == nil && c.Compares != "":
				t.Errorf("%s: %s looks something up and does not say what, or the other way round", file, name)
			}
		}
		if n < least {
			t.Errorf("%s lists only %d conditions", file, n)
		}
	}
}

// TestEveryLookAnswers explains the bare words of each condition over real checkpoints: none breaks down, whatever is
// missing in the message, and each answer is a whole one.
func TestEveryLookAnswers(t *testing.T) {
	t.Parallel()
	for _, golden := range []string{"kafka-clean-3.5", "delta-clean-4.0", "iceberg", "file-sink"} {
		store, err := storage.Open(t.Context(), "../testdata/golden/"+golden+".tar.gz/checkpoint", storage.Options{Inside: []string{"offsets", "commits", "state", "metadata"}})
		if err != nil {
			t.Fatal(err)
		}
		cp, v := examined(t, store, nil)
		for _, list := range [][]*Condition{sparkOld, kafkas, deltas, connectors, storages} {
			for _, c := range list {
				text := "[" + c.Name + "] " + strings.ReplaceAll(c.Words, "…", " 7 ")
				x, err := Parse(text)
				if err != nil {
					t.Errorf("%q: %v", text, err)
					continue
				}
				e := Explain(t.Context(), x, v, cp)
				if e.Agreement == "" || !strings.HasSuffix(e.Because, ".") || !strings.HasSuffix(e.Next, ".") {
					t.Errorf("%s: %q: %s: %q, next %q", golden, text, e.Agreement, e.Because, e.Next)
				}
			}
		}
	}
}
