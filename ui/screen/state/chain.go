package state

import (
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// linksOf are the links of the version that a restart loads; of a store that it does not load all files.
func (x *model) linksOf(r *storeRow) []kit.Link {
	switch {
	case r.load != nil:
		return kit.LinksOf(r.load, x.flawed(r.dir))
	case r.store != nil:
		return kit.FileLinks(r.dir, r.store.Files, x.flawed(r.dir))
	}
	return nil
}

// flawed is what is wrong with the files of a folder, in a word, by their paths.
func (x *model) flawed(dir string) map[string]string {
	flawed := map[string]string{}
	for _, f := range x.flaws[dir] {
		if f.file != dir {
			flawed[f.file] = kit.FlawWord(f.Code)
		}
	}
	return flawed
}

// chainRows lists the links of a chain in a table.
type chainRows struct{ x *model }

func (c chainRows) Len() int { return len(c.x.chain) }

func (c chainRows) Row(i int, r *widget.Row) {
	x, l := c.x, &c.x.chain[i]
	if l.Bad != "" {
		r.Style = x.s.Theme.Bad
	}
	if l.File == nil {
		r.Note = "✗ " + l.Versions() + " missing: no file is there"
		return
	}
	r.Cells[0].Text = kit.Safe(l.File.Name())
	switch {
	case l.Passed:
		r.Cells[0].Text += "  passed over"
	case l.Bad != "":
		r.Cells[0].Text += "  ✗ " + l.Bad
	}
	r.Cells[1].Text = phrase.Bytes(l.File.Size)
	r.Cells[2].Text = x.s.Clock.Full(l.File.Modified)
}
