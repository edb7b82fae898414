package basics

import "testing"

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, folder string
		want         Containment
	}{
		{"file:///in/a.json", "/in", Inside},
		{"file:///in/a.json", "file:/in/", Inside},
		{"s3a://lake/in/2026/a%20b.json", "s3://lake/in", Inside},
		{"s3a://lake/in/a.json", "/in", Inside}, // the default file system is not known
		{"s3a://lake/in/a.json", "s3a://lake", Inside},
		{"s3a://lake/in/a.json", "s3a://sea/in", ElsewhereAltogether},
		{"hdfs://one/in/a.json", "file:/in", ElsewhereAltogether},
		{"file:///in2/a.json", "/in", OtherButAlike},
		{"file:///out/a.json", "/in", ElsewhereAltogether},
		{"file:///in/a.json", "/in/a.json", Inside},
		{"file:///data/x/in/a.json", "/data/*/in", Inside},
		{"file:///data/x/out/a.json", "/data/*/in", ElsewhereAltogether},
		{"file:///data/x/out/a.json", "/data/{x,y}/in", Inside}, // a pattern that is not read here
	} {
		if got := ParsePath(c.file).Within(ParseLocation(c.folder)); got != c.want {
			t.Errorf("%s in %s: %d, want %d", c.file, c.folder, got, c.want)
		}
	}
}
