package storage

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// A bucket is asked for the names behind one only, and for no page that nobody takes.
func TestPagesStartBehindAName(t *testing.T) {
	files := map[string]string{}
	for v := range 3000 {
		files[fmt.Sprintf("log/%05d.json", v)] = "x"
	}
	files["log/_side/1"] = "x"
	o := fakeS3(t, "t/", files, nil)
	s := open(t, "s3://b/t", o)
	var names []string
	for e, err := range Pages(t.Context(), s, "log", "02990.json") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Name)
	}
	if len(names) != 10 || names[0] != "02991.json" || names[9] != "_side" {
		t.Errorf("behind 02990: %q", names)
	}
	if n := o.Meter.Snapshot().Lists; n != 1 {
		t.Errorf("%d listings, want 1", n)
	}
	for range Pages(t.Context(), Sub(s, "log"), ".", "") {
		break
	}
	if n := o.Meter.Snapshot().Lists; n != 2 {
		t.Errorf("%d listings, want one more for the first page", n)
	}
}

func TestPagesOfAFolder(t *testing.T) {
	s := FromFS(fstest.MapFS{"log/1": {}, "log/2": {}, "log/3/x": {}}, "t")
	var names string
	for e, err := range Pages(t.Context(), s, "log", "1") {
		if err != nil {
			t.Fatal(err)
		}
		names += e.Name + " "
	}
	if names != "2 3 " {
		t.Errorf("%q", names)
	}
	for _, err := range Pages(t.Context(), s, "../log", "") {
		if err == nil {
			t.Error("a name that leads out was listed")
		}
	}
}
