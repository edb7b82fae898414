package cli

import (
	"testing"

	"tidemark/internal/config"
)

// TestMouseOverSSH holds that only the flag takes the mouse from a terminal that is far away.
func TestMouseOverSSH(t *testing.T) {
	for _, c := range []struct {
		on   bool
		from config.From
		ssh  string
		want bool
	}{
		{false, config.FromDefault, "", false},
		{true, config.FromFile, "", true},
		{true, config.FromEnvironment, "10.0.0.1 22", false},
		{true, config.FromFile, "10.0.0.1 22", false},
		{true, config.FromFlag, "10.0.0.1 22", true},
	} {
		a := &app{Config: Config{Getenv: func(name string) string { return map[string]string{"SSH_CONNECTION": c.ssh}[name] }}}
		a.flags.mouse, a.settings = c.on, []config.Value{{Setting: config.Find("mouse"), From: c.from}}
		if got := a.mouseWanted(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
