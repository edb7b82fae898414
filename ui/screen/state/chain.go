package state

import "tidemark/ui/kit"

// linksOf are the links of the version that is shown of a store; nil if it is not loaded.
func (x *model) linksOf(r *storeRow) []kit.Link { return kit.LinksOf(r.load, x.flawed(r.dir)) }

// flawed is what is wrong with the files of a folder, in a word, by their paths.
func (x *model) flawed(dir string) map[string]string {
	if len(x.flaws[dir]) == 0 {
		return nil
	}
	flawed := map[string]string{}
	for _, f := range x.flaws[dir] {
		if f.file != dir {
			flawed[f.file] = kit.FlawWord(f.Code)
		}
	}
	return flawed
}
