package ui

import (
	"slices"
	"strings"

	"tidemark/ui/kit"
)

// complete are the lines that a text may become, likeliest first.
func (a *App) complete(text string) []kit.Candidate {
	text = strings.TrimLeft(text, " ")
	first, rest, more := strings.Cut(text, " ")
	var out []kit.Candidate
	if !more {
		out = a.firstWords(first)
	} else {
		for _, c := range specs {
			if c.Command == first && c.Complete != nil {
				head, last := first+" ", rest
				if i := strings.LastIndexByte(rest, ' '); i >= 0 {
					head, last = head+rest[:i+1], rest[i+1:]
				}
				for _, o := range c.Complete(&a.Session, strings.Fields(rest[:len(rest)-len(last)]), last) {
					out = append(out, kit.Candidate{Line: head + o.Line, Does: o.Does})
				}
			}
		}
	}
	out = slices.DeleteFunc(out, func(c kit.Candidate) bool { return c.Line == text }) // that is typed already
	return out[:min(len(out), kit.MostOffers)]
}

// firstWords are the commands that begin with a text, then batches, then files.
func (a *App) firstWords(text string) []kit.Candidate {
	var out []kit.Candidate
	for _, c := range specs {
		if strings.HasPrefix(c.Command, text) {
			line := c.Command
			if c.Need {
				line += " "
			}
			out = append(out, kit.Candidate{Line: line, Does: strings.TrimSpace(c.Args + "  " + c.Does)})
		}
	}
	if text == "" {
		return out
	}
	return append(append(out, kit.CompleteBatches(&a.Session, nil, text)...), kit.CompleteFiles(&a.Session, nil, text)...)
}
