package trace

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidemark/internal/availability"
	"tidemark/internal/checks/examine"
	"tidemark/internal/output"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
	"tidemark/storage"
)

// TestEveryConditionOfConnectorsIsKnown holds that each condition in Kafka's catalog, and each of the streaming source
// and sink in Delta Lake's, is known by its name, and that it says what is compared or what decides it.
func TestEveryConditionOfConnectorsIsKnown(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{"testdata/conditions_kafka.txt": 19, "testdata/conditions_delta.txt": 80} {
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
			c, _ := recognize([]Cause{{Message: "[" + name + "] something"}})
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
		store, err := storage.Open(t.Context(), "../../testdata/golden/"+golden+".tar.gz/checkpoint", storage.Options{Inside: []string{"offsets", "commits", "state", "metadata"}})
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

// TestTold explains traces over small checkpoints, beside what a file of positions and an output tell:
// testdata/told/<story>.txtar has the files of the checkpoint, those of the output below output/, and for each case
// "trace X", where there is one "positions X", and "want X". A case whose name ends in --sink is given the output, one
// in --spec the file spec.yaml; in one with "all told" the positions are of all partitions that there are, as brokers tell it.
func TestTold(t *testing.T) {
	files, err := filepath.Glob("testdata/told/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tree, written, positions := fstest.MapFS{}, fstest.MapFS{}, map[string][]byte{}
			var declared []byte
			for i := range a.Files {
				f := &a.Files[i]
				kind, name, ok := strings.Cut(f.Name, " ")
				entry := &fstest.MapFile{Data: []byte(strings.TrimSuffix(string(f.Data), "\n")), ModTime: now.Add(-time.Hour)}
				switch {
				case ok && kind == "positions":
					positions[name] = f.Data
				case f.Name == "spec.yaml":
					declared = f.Data
				case ok:
				case strings.HasPrefix(f.Name, "output/"):
					written[strings.TrimPrefix(f.Name, "output/")] = entry
				default:
					tree[f.Name] = entry
				}
			}
			store := storage.FromFS(tree, "s3://lake/checkpoints/orders")
			for i := 0; i+1 < len(a.Files); i++ {
				name, ok := strings.CutPrefix(a.Files[i].Name, "trace ")
				if !ok {
					continue
				}
				want := &a.Files[i+1]
				if strings.HasPrefix(want.Name, "positions ") && i+2 < len(a.Files) {
					want = &a.Files[i+2]
				}
				if want.Name != "want "+name {
					t.Fatalf("behind %q stands %q", a.Files[i].Name, want.Name)
				}
				cp, v := examined(t, store, func(opt *examine.Options) {
					if told := positions[name]; told != nil {
						p, err := availability.Parse("positions.json", told)
						if err != nil {
							t.Fatal(err)
						}
						opt.Kept = p
						if strings.Contains(name, "all told") {
							opt.Kept = whole{p}
						}
					}
					if strings.HasSuffix(name, "--spec") {
						if opt.Spec, err = spec.Parse("spec.yaml", declared); err != nil {
							t.Fatal(err)
						}
					}
					if strings.HasSuffix(name, "--sink") {
						opt.Sink = output.New(tablelog.FromFS(written, "s3://lake/orders"), output.Options{})
					}
				})
				x, err := Parse(string(a.Files[i].Data))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				e := Explain(t.Context(), x, v, cp)
				got := fmt.Sprintf("about %s\n%s: %s\nnext %s\n", e.Topic().About, e.Agreement, e.Because, e.Next)
				if *update {
					want.Data = []byte(got)
				} else if diff := gocmp.Diff(string(want.Data), got); diff != "" {
					t.Errorf("%s: -want +got:\n%s", name, diff)
				}
				if e.Agreement != Disagrees && positions[name] != nil && strings.Contains(e.Next, "Ask Kafka") {
					t.Errorf("%s: who has told what Kafka holds is sent to ask it: %s", name, e.Next)
				}
				if strings.HasSuffix(name, "--spec") && strings.Contains(e.Because+e.Next, "--spec") {
					t.Errorf("%s: who has given a spec is sent for one: %s %s", name, e.Because, e.Next)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// whole is an asker that knows all parts of its sources.
type whole struct{ availability.Prober }

func (w whole) Probe(ctx context.Context, recorded []availability.SourceProgress) ([]availability.Source, error) {
	all, err := w.Prober.Probe(ctx, recorded)
	for i := range all {
		all[i].Whole = true
	}
	return all, err
}
