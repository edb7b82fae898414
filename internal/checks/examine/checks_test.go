package examine

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/output"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
	"tidemark/storage"
)

var update = flag.Bool("update", false, "write what was found into the cases that run")

// A case is testdata/checks/<code>/<story>.txtar: a sentence for the reader, the checkpoint, and all
// that is found in it. All checks run over every case, so a case for one also shows the others silent.
//
//	offsets/8            the content; the line feed that txtar puts at the end is taken off
//	offsets/8 (quoted)   one Go string, for control characters
//	offsets/8 (hex)      bytes, in hexadecimal with blanks and line feeds anywhere
//	state/0/0/1.zip (base64)
//	state/0/0/1.zip (zip)   a snapshot of RocksDB: the JSON of its metadata
//	state/0/             a folder, for empty ones
//	args                 lines of key=value, see arg
//	spec                 what the query declares
//	source/…             a file of the table or folder that source 0 reads, /lake/in, which is looked at where there is one; written at noon
//	sink/…               a file of the output of the query, which is looked at where there is one
//	positions            what the sources still have
//	want                 what is found, worst first: severity code batch=N file:line@byte: evidence
func TestCases(t *testing.T) {
	t.Parallel()
	for _, file := range caseFiles(t) {
		name, _ := filepath.Rel("testdata/checks", strings.TrimSuffix(file, ".txtar"))
		t.Run(filepath.ToSlash(name), func(t *testing.T) { runCase(t, file) })
	}
}

func runCase(t *testing.T, file string) {
	c := readCase(t, file)
	v := c.examine(t)
	got := c.tell(&v)
	if *update {
		c.write(t, file, got)
		return
	}
	if diff := gocmp.Diff(c.want, got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", file, diff)
	}
}

// tell is a verdict as the want section has it. With a spec come first what it came to: the differences by
// effect, what was not compared, the next start, the answer to "same query", and the advice.
func (c *testCase) tell(v *checks.Verdict) string {
	var b strings.Builder
	if c.opt.Spec != nil {
		for _, d := range v.Drift {
			fmt.Fprintf(&b, "%s %s: %s | %s | %s\n", d.Effect, d.Field, checks.OrNothing(d.Declared), checks.OrNothing(d.Recorded), cmp.Or(d.Where.String(), "-"))
		}
		for _, line := range v.NotCompared {
			fmt.Fprintf(&b, "not compared: %s\n", line)
		}
		fmt.Fprintf(&b, "restart %s %d %s\n", v.Restart.Outcome, v.Restart.Batch, v.Restart.Error)
		fmt.Fprintf(&b, "same query %s: %s\n", v.Questions[1].Answer, v.Questions[1].Because)
		fmt.Fprintf(&b, "advice %s\n", v.Advice.Way)
	}
	if v.Sink != nil {
		fmt.Fprintf(&b, "sink %s, highest %d: %s\n", v.Sink.Situation, v.Sink.Highest, v.Sink.Says)
		fmt.Fprintf(&b, "replay safe %s: %s\n", v.Questions[2].Answer, v.Questions[2].Because)
	}
	if c.opt.Kept != nil && c.opt.Spec == nil {
		fmt.Fprintf(&b, "restart %s %d %s\n", v.Restart.Outcome, v.Restart.Batch, v.Restart.Error)
	}
	if c.opt.Kept != nil {
		if v.Err != nil {
			fmt.Fprintf(&b, "ended early: %v\n", v.Err)
		}
		fmt.Fprintf(&b, "replay safe %s: %s\n", v.Questions[2].Answer, v.Questions[2].Because)
		b.WriteString(tellKept(v.Kept))
	}
	return b.String() + tell(v)
}

// tellKept is what became of each part: "0 orders/0: partly-gone, 400 gone, 500 left, 900 behind".
func tellKept(k *checks.Kept) string {
	var b strings.Builder
	if k == nil {
		return ""
	}
	for i := range k.Sources {
		s := &k.Sources[i]
		for _, p := range s.Reads {
			fmt.Fprintf(&b, "%s %s: %s", s.Key, p.Name, p.State)
			for _, n := range []struct {
				n     int64
				known bool
				word  string
			}{{p.Gone, p.GoneKnown && p.Gone > 0, "gone"}, {p.Left, p.LeftKnown, "left"}, {p.Lag, p.LagKnown, "behind"}} {
				if n.known {
					fmt.Fprintf(&b, ", %d %s", n.n, n.word)
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// tell is what was found. What was not run for want of a flag is left out.
func tell(v *checks.Verdict) string {
	var b strings.Builder
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "%s %s batch=%d %s: %s\n", f.Severity, f.Code, f.Batch, cmp.Or(f.Where.String(), "-"), f.Evidence)
	}
	for _, n := range v.NotRun {
		if !strings.HasPrefix(n.Needs, "--") {
			fmt.Fprintf(&b, "not run: %s\n", strings.TrimPrefix(n.Code+": "+n.Needs, ": "))
		}
	}
	return b.String()
}

// testCase is one file of testdata/checks.
type testCase struct {
	story    string
	files    fstest.MapFS
	location string
	place    string // on this machine
	opt      Options
	broken   map[string]error // files and folders that cannot be fetched
	want     string
}

func (c *testCase) examine(t *testing.T) (v checks.Verdict) {
	t.Helper()
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(brokenFS{c.files, c.broken}, c.location))
	if err != nil {
		t.Fatal(err)
	}
	cp.Place = c.place
	for e := range Examine(t.Context(), cp, c.opt) {
		v.Add(e)
	}
	return v
}

func caseFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/checks/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return files
}

func readCase(t *testing.T, file string) *testCase {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &testCase{story: string(a.Comment), files: fstest.MapFS{}, location: "checkpoint",
		opt: Options{Now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}, broken: map[string]error{}}
	var args []string
	written, input := fstest.MapFS{}, fstest.MapFS{}
	for _, f := range a.Files {
		switch f.Name {
		case "args":
			args = strings.Fields(string(f.Data))
		case "want":
			c.want = string(f.Data)
		case "spec":
			if c.opt.Spec, err = spec.Parse("spec.yaml", f.Data); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		case "positions":
			if c.opt.Kept, err = availability.Parse("positions.json", f.Data); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		default:
			name, m := content(t, f)
			if in, ok := strings.CutPrefix(name, "sink/"); ok {
				written[in] = m
			} else if in, ok := strings.CutPrefix(name, "source/"); ok {
				m.ModTime = c.opt.Now
				input[in] = m
			} else {
				c.files[name] = m
			}
		}
	}
	if len(input) > 0 {
		c.opt.Kept = &availability.TableLocation{Location: "/lake/in", Open: func(context.Context) (tablelog.Files, error) { return tablelog.FromFS(input, "/lake/in"), nil }}
	}
	if len(written) > 0 {
		o := output.Options{}
		if c.opt.Spec != nil && c.opt.Spec.Sink != nil {
			o.Kind = c.opt.Spec.Sink.Kind
		}
		c.opt.Sink = output.New(tablelog.FromFS(written, "sink"), o)
	}
	for _, a := range args {
		c.arg(t, a)
	}
	return c
}

// arg takes in one line of args:
//
//	spark=3.5                          the release that restarts
//	now=2026-11-29T00:00:00Z           the time of the examination
//	deep=true                          verify every byte of state
//	location=s3://data/checkpoint      where the checkpoint lies, as typed,
//	place=/tmp/checkpoint              and where that is on this machine
//	positions={…}                      what the sources still have
//	from=golden/NAME                   the files of an archive in ../testdata, besides those of the case
//	cut:state/0/0/7.delta=20           of those, one that is cut to so many bytes,
//	flip:state/0/0/7.delta=20          one with all bits of a byte changed (from the end, where negative),
//	append:state/0/0/7.delta=20        one with so many zero bytes behind it,
//	copy:state/0/1/7.delta=state/0/0/7.delta  one in the place of another,
//	removed:state/0/0/7.delta          and one that is not there, or a folder
//	modified:offsets/8=2026-11-01T…    when a file was written, or all below a folder ("modified:.")
//	denied:offsets/8                   may not be read, or listed where it is a folder
//	archived:offsets/8                 must be restored before it can be read
func (c *testCase) arg(t *testing.T, arg string) {
	t.Helper()
	key, value, _ := strings.Cut(arg, "=")
	var err error
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "spark":
		c.opt.Spark, err = spark.Parse(value)
	case "now":
		c.opt.Now, err = time.Parse(time.RFC3339, value)
	case "deep":
		c.opt.Deep, err = strconv.ParseBool(value)
	case "location":
		c.location = value
	case "positions":
		c.opt.Kept, err = availability.Parse("positions.json", []byte(value))
	case "place":
		c.place = value
	case "from":
		c.from(t, value)
	case "cut", "flip", "append":
		err = c.damage(kind, name, value)
	case "copy":
		if c.files[name] == nil {
			err = fmt.Errorf("there is no %s", name)
		}
		c.files[value] = c.files[name]
	case "removed":
		before := len(c.files)
		maps.DeleteFunc(c.files, func(file string, _ *fstest.MapFile) bool { return file == name || strings.HasPrefix(file, name+"/") })
		if len(c.files) == before {
			err = fmt.Errorf("there is no %s", name)
		}
	case "modified":
		err = c.modified(name, value)
	case "denied":
		c.broken[name] = fs.ErrPermission
	case "expired":
		c.broken[name] = storage.ErrLogin
	case "archived":
		c.broken[name] = storage.ErrArchived
	default:
		err = fmt.Errorf("%q is no argument of a case", arg)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// from adds the checkpoint of an archive.
func (c *testCase) from(t *testing.T, archive string) {
	t.Helper()
	for name, file := range untar(t, filepath.Join("..", "..", "..", "testdata", filepath.FromSlash(archive)+".tar.gz")) {
		if name, ok := strings.CutPrefix(name, "checkpoint/"); ok && c.files[name] == nil {
			c.files[name] = file
		}
	}
}

func (c *testCase) damage(kind, name, value string) error {
	f := c.files[name]
	n, err := strconv.Atoi(value)
	switch {
	case f == nil:
		return fmt.Errorf("there is no %s", name)
	case kind != "append" && (n >= len(f.Data) || n < -len(f.Data)):
		return fmt.Errorf("%s has %d bytes", name, len(f.Data))
	}
	data := bytes.Clone(f.Data)
	switch kind {
	case "cut":
		data = data[:n]
	case "append":
		data = append(data, make([]byte, n)...)
	case "flip":
		if n < 0 {
			n += len(data)
		}
		data[n] ^= 0xFF
	}
	c.files[name] = &fstest.MapFile{Data: data, ModTime: f.ModTime}
	return err
}

func (c *testCase) modified(name, value string) error {
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return err
	}
	for file, m := range c.files {
		if name == "." || file == name || strings.HasPrefix(file, name+"/") {
			m.ModTime = at
		}
	}
	return nil
}

func content(t *testing.T, f txtar.File) (string, *fstest.MapFile) {
	t.Helper()
	if dir, ok := strings.CutSuffix(f.Name, "/"); ok {
		return dir, &fstest.MapFile{Mode: fs.ModeDir | 0o755}
	}
	text := strings.TrimSuffix(string(f.Data), "\n")
	name, form, _ := strings.Cut(f.Name, " (")
	data, err := []byte(text), error(nil)
	switch form {
	case "":
	case "quoted)":
		text, err = strconv.Unquote(text)
		data = []byte(text)
	case "hex)":
		data, err = hex.DecodeString(strings.Join(strings.Fields(text), ""))
	case "zip)":
		data, err = snapshot(text)
	case "base64)":
		data, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	default:
		name = f.Name // a blank and a bracket of its own: "6 (1)"
	}
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return name, &fstest.MapFile{Data: data}
}

// snapshot is a RocksDB snapshot with these metadata, packed as Spark does.
func snapshot(metadata string) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range []struct{ name, text string }{
		{"MANIFEST-000005", "manifest"}, {"CURRENT", "MANIFEST-000005\n"}, {"OPTIONS-000007", "[Version]\n"}, {"metadata", "v1\n" + metadata},
	} {
		w, err := z.Create(m.name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write([]byte(m.text)); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// write puts what was found into the case's want section.
func (c *testCase) write(t *testing.T, file, got string) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
	a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(got)})
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// brokenFS is a tree of which some files and folders cannot be fetched.
type brokenFS struct {
	fstest.MapFS
	broken map[string]error
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if err := b.broken[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return b.MapFS.Open(name)
}

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := b.broken[name]; err != nil {
		return nil, &fs.PathError{Op: "list", Path: name, Err: err}
	}
	return b.MapFS.ReadDir(name)
}

// every is all checks, also those of a location that is no checkpoint.
func every() []*checks.Check {
	all := slices.Clone(All)
	for _, c := range elsewhere {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

func TestEveryCheckHasWords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range every() {
		if seen[c.Code] {
			t.Errorf("%s: two checks have this code", c.Code)
		}
		seen[c.Code] = true
		if c.Code == "" || c.Title == "" || c.Meaning == "" || c.NextStep == "" {
			t.Errorf("%q lacks a title, a meaning or a next step", c.Code)
			continue
		}
		if first := []rune(c.Title); len(first) < 2 || unicode.IsUpper(first[0]) && !unicode.IsUpper(first[1]) || strings.HasSuffix(c.Title, ".") {
			t.Errorf("%s: the title %q begins with a capital or ends with a full stop", c.Code, c.Title)
		}
		for _, text := range []string{c.Meaning, c.NextStep, c.Avoid} {
			if text != "" && !strings.HasSuffix(text, ".") {
				t.Errorf("%s: %q is not made of full sentences", c.Code, text)
			}
		}
		if c.Run == nil && c.Walk == nil && c.Unread == nil {
			t.Errorf("%s judges nothing", c.Code)
		}
	}
}

// TestEveryCheckHasCases refuses a check that no case makes fire, and one without a case that looks
// like it and must stay silent.
func TestEveryCheckHasCases(t *testing.T) {
	t.Parallel()
	type shown struct{ fires, silent bool }
	cases := map[string]*shown{}
	for _, file := range caseFiles(t) {
		code := path.Base(path.Dir(filepath.ToSlash(file)))
		if cases[code] == nil {
			cases[code] = &shown{}
		}
		c := readCase(t, file)
		if strings.TrimSpace(c.story) == "" {
			t.Errorf("%s tells no story", file)
		}
		if strings.Contains("\n"+c.want, " "+code+" batch=") {
			cases[code].fires = true
		} else {
			cases[code].silent = true
		}
	}
	for _, c := range every() {
		if s := cases[c.Code]; s == nil || !s.fires || !s.silent {
			t.Errorf("testdata/checks/%s needs a case that fires and one that looks like it and stays silent", c.Code)
		}
	}
}
