package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/ui/kit"
)

// TestNear: a checkpoint below a location is yielded as soon as it is found, and again when it is checked; each opens by the
// location that is yielded.
func TestNear(t *testing.T) {
	a := &app{Config: program(nil, "../../testdata/demo")}
	const root = "../../testdata/cases/C63-parent-of-checkpoints.tar.gz/checkpoint"
	var got []string
	for f, err := range a.findNearby(t.Context(), root) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Location == "" {
			continue
		}
		got = append(got, strings.Join([]string{f.Label, string(f.State), f.Short}, "|"))
		if !strings.HasSuffix(f.Location, "/C63-parent-of-checkpoints.tar.gz/checkpoint/"+f.Label) {
			t.Errorf("%s is at %s", f.Label, f.Location)
		}
		if cp, err := a.place(f.Location).Open(t.Context()); err != nil || !cp.IsCheckpoint() {
			t.Errorf("%s does not open: %v", f.Location, err)
		}
	}
	want := "orders_by_shop|| orders_by_shop|safe|starts batch 3 refunds|| refunds|safe|starts batch 3"
	if strings.Join(got, " ") != want {
		t.Errorf("%q", got)
	}
}

// TestNearTellsCopies: two checkpoints of one query name each other, also where one of them is an archive.
func TestNearTellsCopies(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../testdata/golden/kafka-uncommitted.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, name := range []string{"a.tar.gz", "b.tgz"} {
		if err := os.WriteFile(filepath.Join(root, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a := &app{Config: program(nil, "../../testdata/demo")}
	last := map[string]string{}
	for f, err := range a.findNearby(t.Context(), root) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Location != "" {
			last[f.Label] = string(f.State) + ", same as " + f.Same
		}
	}
	if len(last) != 2 || !strings.HasSuffix(last["a.tar.gz"], ", same as b.tgz") || !strings.HasSuffix(last["b.tgz"], ", same as a.tar.gz") {
		t.Errorf("%q", last)
	}
}

// TestNearStops: when nobody looks any more, nothing more is looked for.
func TestNearStops(t *testing.T) {
	a := &app{Config: program(nil, "../../testdata/demo")}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for f, err := range a.findNearby(ctx, "../../testdata") {
		if f.Looked == 1 {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("it ends with %v", last)
	}
	for _, err := range a.findNearby(t.Context(), "../../testdata/nowhere") {
		if err == nil || !strings.Contains(err.Error(), "no such folder") {
			t.Error(err)
		}
	}
}

// TestSpoken: the choices of the start screen in words, for those who hear them.
func TestSpoken(t *testing.T) {
	a := &app{Config: program(nil, "../../testdata/demo")}
	a.Getenv = func(string) string { return "" }
	m := &memory{t.TempDir()}
	if err := m.Visit(kit.Recent{Location: "/mnt/cp", When: now, Verdict: "critical"}); err != nil {
		t.Fatal(err)
	}
	all := a.startChoices(t.Context(), kit.Options{Here: t.TempDir(), Memory: m, Choices: []kit.Choice{{Label: "offset-gap", Detail: "a gap"}}})
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprintf("%s: %s", c.Label, c.Detail))
	}
	if strings.Join(got, "; ") != "recent: /mnt/cp, then critical; example: offset-gap: a gap" {
		t.Errorf("%q", got)
	}
}
