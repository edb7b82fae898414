package cli

import (
	"bytes"
	"strings"
	"testing"
)

// explained runs explain over a golden with a text as its input.
func explained(t *testing.T, text string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	c := program(append([]string{"explain"}, args...), "../../testdata/demo")
	c.In, c.Out, c.Err, c.Getenv = strings.NewReader(text), &o, &e, func(string) string { return "" }
	return ExitStatus(Run(t.Context(), c)), o.String(), e.String()
}

func TestExplainStatus(t *testing.T) {
	const golden = "../../testdata/golden/kafka-clean-3.5.tar.gz"
	const trace = "java.lang.IllegalStateException: Failed to read log file file:/x/offsets/3. Incomplete log file\n"
	for _, c := range []struct {
		why, text string
		args      []string
		want      int
	}{
		{"explained", trace, []string{golden}, 0},
		{"as JSON", trace, []string{golden, "--json"}, 0},
		{"no trace", "all is well\n", []string{golden}, 2},
		{"nothing at all", "", []string{golden}, 2},
		{"no location", trace, nil, 2},
		{"no checkpoint", trace, []string{t.TempDir()}, 4},
		{"not there", trace, []string{"../../testdata/golden/none"}, 3},
		{"what it is about was not read", trace, []string{golden, "--max-requests", "8"}, 3},
	} {
		if status, out, errs := explained(t, c.text, c.args...); status != c.want {
			t.Errorf("%s: status %d, want %d\n%s%s", c.why, status, c.want, out, errs)
		}
	}
}

// TestExplainIsHarmless explains a trace that tries to drive the terminal, over a checkpoint that does.
func TestExplainIsHarmless(t *testing.T) {
	dir := hostile(t)
	text := "org.apache.spark.SparkException: [STATE_STORE_" + evil + "] " + evil + " file:/" + evil + "/offsets/2 in StateStoreId(opId=0,partId=0,name=" + evil + ")\n" +
		"Caused by: java.io.FileNotFoundException: " + evil + "/state/0/0/1.zip TopicPartition: orders-0\n"
	for _, args := range [][]string{{dir}, {dir, "--json"}} {
		_, out, errs := explained(t, text, args...)
		if out == "" {
			t.Errorf("%v: nothing is said: %s", args, errs)
		}
		if r := drives(out + errs); r != 0 {
			t.Errorf("%v writes %U: %q", args, r, out)
		}
	}
}
