package spec

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
)

// whole is the spec that has every key.
func whole(t testing.TB) *Spec {
	t.Helper()
	data, err := os.ReadFile("testdata/whole.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse("whole.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// comesBack writes a spec, reads it, and compares.
func comesBack(t *testing.T, s *Spec, notes Notes) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, s, notes); err != nil {
		t.Fatal(err)
	}
	back, err := Parse("x", []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if d := cmp.Diff(s, back, cmpopts.IgnoreFields(Spec{}, "From"), cmpopts.IgnoreTypes(Pos{})); d != "" {
		t.Fatalf("%s\n%s", d, b.String())
	}
	return b.String()
}

// TestWriteLosesNothing writes specs with every key, with none, and with texts that YAML could take for
// something else.
func TestWriteLosesNothing(t *testing.T) {
	t.Parallel()
	comesBack(t, whole(t), nil)
	comesBack(t, &Spec{}, nil)
	none, on := "", true
	comesBack(t, &Spec{Sources: []Source{}, Operators: []Operator{}, Conf: map[string]string{}, Sink: &Sink{}, Watermark: &none, AsyncProgress: &on}, nil)
	comesBack(t, &Spec{Sources: []Source{{}, {Kind: "file"}, {}}, Operators: []Operator{{}}}, Notes{"sources[0]": "nothing is known", "operators[0].name": "x"})
	for _, odd := range []string{
		"yes", "null", "~", "0x1F", "1e3", "1_000", "2024-01-01", "true", "- x", "a: b", "a #b", "#a", "*a", "&a", "!a", "%a", "@a", "`a`", "[a]", "{a}",
		" a ", "a\nb", "a\tb", "\"a\"", "'a'", "a\\b", "é", "名前", "\u202eevil", "a\u0085b", "\U0001f600", "\U000e0001", "-", "?", ": ", "a:", "=", "<<", ".inf", "a, b", "...", "---",
		strings.Repeat("long ", 60) + "end",
	} {
		comesBack(t, &Spec{Query: odd, Owner: odd, Conf: map[string]string{odd: odd, "n": "200"}, Sources: []Source{{Name: odd, Topics: []string{odd, odd}, TableID: odd, Location: odd}},
			Operators: []Operator{{Name: odd, Key: schema(t, "`"+strings.ReplaceAll(odd, "`", "``")+"` STRUCT<a: INT NOT NULL>, b INT")},
				{Variables: []Variable{{Name: odd, Kind: "list", Value: schema(t, "v INT")}, {Name: "n"}}}}}, Notes{"operators[1].variables." + odd: odd,
			"": odd + "\n" + odd, "query": odd, "conf." + odd: odd, "sink": odd})
	}
}

// TestNotes places words behind values, above long ones, and in the place of what is absent.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := &Spec{
		Sources:   []Source{{Kind: "kafka", Topics: []string{"orders", "a,b"}}},
		Operators: []Operator{{Name: "dedupe", Key: schema(t, "w STRUCT<start: TIMESTAMP>, "+strings.Repeat("some_column STRING, ", 6)+"k INT")}},
		Conf:      map[string]string{"spark.sql.shuffle.partitions": "200"},
	}
	got := comesBack(t, s, Notes{
		"": "What is recorded.\n\nIn two paragraphs \x1b[2J.", "spark": "not recorded", "sources": "offsets/7", "sources[0]": "line 3", "sources[0].kind": "by its shape",
		"sources[0].location": "not recorded", "operators[0].key": "state/0/0/_metadata/schema", "conf": "offsets/7:2", "sink": "not recorded", "trigger": "not\nrecorded",
	})
	want := `# What is recorded.
#
# In two paragraphs \x1B[2J.
spec: 1
# spark: not recorded
sources:  # offsets/7
  # line 3
  - kind: kafka  # by its shape
    topics: [orders, "a,b"]
    # location: not recorded
operators:
  - name: dedupe
    # state/0/0/_metadata/schema
    key: "w STRUCT<start: TIMESTAMP>, some_column STRING, some_column STRING, some_column STRING, some_column STRING, some_column STRING, some_column STRING, k INT"
conf:  # offsets/7:2
  spark.sql.shuffle.partitions: "200"
# sink: not recorded
# trigger: not recorded
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestSchemaAndFormAgree walks the JSON Schema: each key that it has is read by Parse and written by Write, and
// the file that has every key has no other.
func TestSchemaAndFormAgree(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if s["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("$schema %v", s["$schema"])
	}
	var b strings.Builder
	if err := Write(&b, whole(t), nil); err != nil {
		t.Fatal(err)
	}
	var file any
	if err := yaml.Unmarshal([]byte(b.String()), &file); err != nil {
		t.Fatal(err)
	}
	for _, problem := range breaks(s, file, "") {
		t.Error(problem)
	}
	used := map[string]bool{}
	keysOf(file, "", used)
	for _, key := range schemaKeys(s, "") {
		if !used[key] {
			t.Errorf("%s is in the schema and not in the file that has every key", key)
		}
	}
	for _, wrong := range []any{map[string]any{"querry": "x"}, map[string]any{"spec": 2}, map[string]any{"sources": "x"}, map[string]any{"output_mode": "x"}, map[string]any{"sources": []any{map[string]any{"topics": 5}}},
		map[string]any{"operators": []any{map[string]any{"variables": map[string]any{"seen": map[string]any{"kindd": "list"}}}}}} {
		if breaks(s, wrong, "") == nil {
			t.Errorf("%v fits the schema", wrong)
		}
	}
}

// breaks says where a value does not fit a schema of the few words that the form uses.
func breaks(s map[string]any, v any, at string) (all []string) {
	bad := func(what string) { all = append(all, at+": "+what) }
	if c, ok := s["const"]; ok && !equalNumbers(c, v) {
		bad("is not the constant")
	}
	if e, ok := s["enum"].([]any); ok && !slices.Contains(e, v) {
		bad("is none of the words")
	}
	if is := typeName(v); s["type"] != nil && s["type"] != is && !(s["type"] == "number" && is == "integer") {
		if several, ok := s["type"].([]any); !ok || !slices.Contains(several, any(is)) && is != "integer" {
			bad("is " + is)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for key, x := range v {
			if p, ok := properties[key].(map[string]any); ok {
				all = append(all, breaks(p, x, at+"."+key)...)
				if p["description"] == "" || p["description"] == nil {
					all = append(all, at+"."+key+" has no description")
				}
			} else if p, ok := s["additionalProperties"].(map[string]any); ok {
				all = append(all, breaks(p, x, at+".*")...)
			} else if s["additionalProperties"] == false {
				bad("knows no " + key)
			}
		}
	case []any:
		items, _ := s["items"].(map[string]any)
		for _, x := range v {
			all = append(all, breaks(items, x, at+"[]")...)
		}
	}
	return all
}

func equalNumbers(a, b any) bool {
	f := func(v any) float64 {
		switch r := reflect.ValueOf(v); r.Kind() {
		case reflect.Int:
			return float64(r.Int())
		case reflect.Float64:
			return r.Float()
		}
		return -1
	}
	return f(a) == f(b)
}

func typeName(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case int:
		return "integer"
	}
	return "number"
}

func keysOf(v any, at string, used map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			used[at+"."+key] = true
			keysOf(x, at+"."+key, used)
			keysOf(x, at+".*", used)
		}
	case []any:
		for _, x := range v {
			keysOf(x, at+"[]", used)
		}
	}
}

func schemaKeys(s map[string]any, at string) (all []string) {
	properties, _ := s["properties"].(map[string]any)
	for key, p := range properties {
		all = append(append(all, at+"."+key), schemaKeys(p.(map[string]any), at+"."+key)...)
	}
	if items, ok := s["items"].(map[string]any); ok {
		all = append(all, schemaKeys(items, at+"[]")...)
	}
	if others, ok := s["additionalProperties"].(map[string]any); ok {
		all = append(all, schemaKeys(others, at+".*")...)
	}
	return all
}
