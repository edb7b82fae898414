package examine

import (
	"strings"
	"testing"
)

// TestRestartsDeclared predicts restarts of testdata/restarts whose specs do not show what was changed, with specs that do: they also
// declare the sides of the join, or the variables and the time mode of transformWithState.
func TestRestartsDeclared(t *testing.T) {
	t.Parallel()
	const left, right = "    left: k STRING, v BIGINT, ts TIMESTAMP\n", "    right: k2 STRING, v2 BIGINT, ts2 TIMESTAMP\n"
	const nullable = `    right: '{"type":"struct","fields":[{"name":"k2","type":"string","nullable":true,"metadata":{}},` +
		`{"name":"v2","type":"long","nullable":true,"metadata":{}},{"name":"ts2","type":"timestamp","nullable":true,"metadata":{}}]}'` + "\n"
	variables := func(n, seen string) string {
		return "    time_mode: processing_time\n    variables:\n      n: {kind: value, value: " + n + ", ttl: \"\"}\n      seen: {kind: " + seen +
			", value: v BIGINT}\n      per: {kind: map, key: k STRING, value: c BIGINT}\n"
	}
	for name, keys := range map[string]string{
		"3.5.9-query-join-left-column-added":         strings.Replace(left, "ts TIMESTAMP", "ts TIMESTAMP, w BIGINT", 1) + right,
		"3.5.9-query-join-type-full-outer":           "    join: full_outer\n" + left + nullable,
		"3.5.9-query-join-watermarks-removed":        left + nullable,
		"4.3.0-query-join-type-full-outer":           "    join: full_outer\n" + left + nullable,
		"4.3.0-query-join-watermarks-removed":        left + nullable,
		"4.3.0-query-tws-avro-value-type-other":      variables("n STRING", "list"),
		"4.3.0-query-tws-avro-variable-kind-changed": variables("n BIGINT", "value"),
		"4.3.0-query-tws-value-field-renamed":        variables("m BIGINT", "list"),
		"4.3.0-query-tws-none":                       variables("n BIGINT", "list"),
	} {
		r := readRestarted(t, "testdata/restarts/"+name+".tar.gz")
		before, operator, ok := strings.Cut(string(r.file("spec.yaml")), "operators:\n")
		first, rest, _ := strings.Cut(operator, "\n")
		if !ok {
			t.Fatalf("%s: its spec has no operators", name)
		}
		r.tree["spec.yaml"].Data = []byte(before + "operators:\n" + first + "\n" + keys + rest)
		r.Blind = false
		if points := r.judge(r.examine(t)); len(points) > 0 {
			t.Errorf("%s: %s", name, strings.Join(points, "; "))
		}
	}
}
