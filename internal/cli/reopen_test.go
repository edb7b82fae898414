package cli

import (
	"os/exec"
	"strings"
	"testing"
)

func TestReopen(t *testing.T) {
	for _, c := range []struct {
		why, location, view string
		args                []string
		want                string
	}{
		{"a plain view", "s3://lake/cp/orders", "batch 120", nil, `tidemark s3://lake/cp/orders --view 'batch 120'`},
		{"the overview needs no view", "/mnt/cp", "overview", nil, `tidemark /mnt/cp`},
		{"a key in JSON", "/mnt/cp", `key {"shop_id": 7, "it's": 1}`, nil, `tidemark /mnt/cp --view 'key {"shop_id": 7, "it'\''s": 1}'`},
		{"an example", "demo: lost-state", "state", nil, `tidemark demo lost-state --view state`},
		{"the flags that matter", "/mnt/cp", "drift", []string{"--spark", "3.5", "--spec", "my spec.yaml", "--endpoint-url", "http://me:secret@minio:9000/x?token=y", "--path-style", "--no-color", "--timeout", "3s", "--debug-log", "/tmp/x"},
			`tidemark /mnt/cp --view drift --spark 3.5 --spec 'my spec.yaml' --endpoint-url http://minio:9000/x --path-style`},
		{"several of one flag", "/mnt/cp", "", []string{"--source", "0=/a", "--source", "1=/b c"}, `tidemark /mnt/cp --source 0=/a --source '1=/b c'`},
		{"credentials in a location", "s3://key:secret@lake/cp", "", nil, `tidemark s3://lake/cp`},
		{"a folder that is called as a command", "check", "", nil, `tidemark ./check`},
		{"a folder that is called as a flag", "-rf", "", nil, `tidemark ./-rf`},
		{"a hostile name", "/x/$(reboot) `id`; rm -rf ~ \"'", "", nil, "tidemark '/x/$(reboot) `id`; rm -rf ~ \"'\\'''"},
		{"a name that drives the terminal", "/x\x1b[201~\nreboot\n'\\\u202e\xff", "", nil, `tidemark $'/x\x1b[201~\x0areboot\x0a\'\\\xe2\x80\xae\xff'`},
	} {
		a := &app{Config: program(nil, "../../testdata/demo")}
		if err := a.root().ParseFlags(c.args); err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		got := a.reopen(c.location, c.view)
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.why, got, c.want)
		}
		if drives(got) != 0 {
			t.Errorf("%s: %q holds %U", c.why, got, drives(got))
		}
	}
}

// TestShellWordIsOneWord hands hostile words to a real shell, where there is one.
func TestShellWordIsOneWord(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Log("there is no bash here: only the words themselves are looked at")
	}
	for _, word := range []string{"", "a b", "$(reboot)", "`id`", "'", `\`, `it's "so"`, "a\nb", "x\x1b[2J\x07", "\u202egnp", "\xff\xfe", "~", "*", "a;b|c&d", "é", "-n", "#x", "!!"} {
		quoted := shellWord(word)
		if r := drives(quoted); r != 0 || strings.Contains(quoted, "\n") {
			t.Errorf("%q becomes %q", word, quoted)
		}
		if bash == "" {
			continue
		}
		out, err := exec.Command(bash, "-c", "printf '%s|' "+quoted).Output()
		if err != nil || string(out) != word+"|" {
			t.Errorf("%q becomes %s, which the shell takes for %q (%v)", word, quoted, out, err)
		}
	}
}
