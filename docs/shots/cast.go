//go:build unix

package main

import (
	"encoding/json"
	"strings"
)

// secondsPerScreen is how long a screen of the recording stays: long enough to read what is said of it.
const secondsPerScreen = 6

// recording writes screens as an asciicast, version 2: a line about the terminal, then one line for
// each screen, drawn in full. The times are made up, so that a recording made again is the same.
func recording(title string, screens []string) (string, error) {
	var b strings.Builder
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	type header struct {
		Version int               `json:"version"`
		Width   int               `json:"width"`
		Height  int               `json:"height"`
		Title   string            `json:"title"`
		Env     map[string]string `json:"env"`
	}
	if err := out.Encode(header{2, width, height, title, map[string]string{"TERM": "xterm-256color"}}); err != nil {
		return "", err
	}
	for i, s := range screens {
		text := "\x1b[?25l\x1b[0m\x1b[2J\x1b[H" + strings.ReplaceAll(s, "\n", "\x1b[0m\r\n") + "\x1b[0m"
		if err := out.Encode([]any{i * secondsPerScreen, "o", text}); err != nil {
			return "", err
		}
	}
	// The last screen stays as long as the others; then the cursor is back.
	err := out.Encode([]any{len(screens) * secondsPerScreen, "o", "\x1b[?25h\r\n"})
	return b.String(), err
}
