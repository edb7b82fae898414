package rows

import (
	"slices"
	"strings"

	"tidemark/ui/kit"
)

// complete are the words of the command rows.
func complete(s *kit.Session, before []string, text string) []kit.Candidate {
	if len(before) == 0 {
		return kit.CompleteStores(s, nil, text)
	}
	switch before[len(before)-1] {
	case "batch", "since":
		return kit.CompleteBatches(s, nil, text)
	case "key", "store", "view":
		return nil
	}
	if len(before)%2 == 0 {
		return nil // a value
	}
	var out []kit.Candidate
	for _, w := range [][2]string{{"batch ", "after this batch"}, {"since ", "only those that changed since this batch"}, {"key ", `only those of a key: 7 or {"shop_id": 7}`},
		{"store ", "of this store, if there are several"}, {"view ", "in another form"}} {
		if !slices.Contains(before, strings.TrimSpace(w[0])) {
			out = append(out, kit.Starting(text, w[:1], w[1])...)
		}
	}
	return out
}
