package state

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestLineageOfAVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		story   string
		files   string
		heads   string // changelog: what it builds on
		version string
		rules   Rules
		want    string
		read    string // the changelogs whose heads were read
	}{
		{"a whole file of its own", "2_a.zip 2_a.changelog 2_x.changelog", "2_a: 1_a", "2_a", Rules{}, "2_a", ""},
		{"from the snapshot on", "3_a.zip 4_a.changelog 4_x.changelog 5_a.changelog 5_x.changelog", "5_a: 3_a 4_a", "5_a", Rules{}, "3_a 4_a 5_a", "5_a"},
		{"the first version", "1_a.changelog 1_x.changelog", "1_a:", "1_a", Rules{}, "1_a", "1_a"},
		{"the snapshot it begins with is gone", "2_a.zip 3_a.changelog 3_x.zip 4_a.changelog 5_a.changelog", "5_a: 3_a 4_a; 3_a: 2_a", "5_a", Rules{}, "2_a 3_a 4_a 5_a", "5_a 3_a"},
		{"back to the first batch", "1_a.changelog 2_a.changelog 3_a.changelog", "3_a: 2_a; 2_a: 1_a; 1_a:", "3_a", Rules{}, "1_a 2_a 3_a", "3_a 2_a 1_a"},
		{"its own file is not there", "2_a.zip 3_x.changelog", "3_x: 2_x", "3_a", Rules{}, "3_a", ""},
		{"one that it builds on is not there", "2_a.zip 3_x.changelog 4_a.changelog", "4_a: 3_a; 3_x: 2_x", "4_a", Rules{}, "3_a 4_a", "4_a"},
		{"a broken snapshot ends it", "1_a.changelog 2_a.changelog 2_a.zip=0 3_a.changelog", "3_a: 2_a; 2_a: 1_a; 1_a:", "2_a", Rules{}, "2_a", ""},
		{"and not where an older one may stand in for it", "1_a.changelog 2_a.changelog 2_a.zip=0 3_a.changelog", "3_a: 2_a; 2_a: 1_a; 1_a:", "3_a", Rules{Repairs: true}, "1_a 2_a 3_a", "3_a 2_a 1_a"},
		{"it names itself and later versions", "3_a.changelog", "3_a: 3_x 9_x", "3_a", Rules{}, "3_a", "3_a"},
		{"a head that cannot be read", "2_a.zip 3_a.changelog 4_a.changelog", "", "4_a", Rules{}, "4_a unread", "4_a"},
		{"nothing there", "", "", "4_a", Rules{}, "4_a", ""},
	} {
		heads := map[string]string{}
		for _, head := range strings.Split(c.heads, "; ") {
			name, below, ok := strings.Cut(head, ":")
			if ok {
				heads[name] = below
			}
		}
		var read []string
		links := func(f File) (links []Link, err error) {
			name := strings.TrimSuffix(f.Name(), ".changelog")
			read = append(read, name)
			below, ok := heads[name]
			if !ok {
				return nil, errors.New("unread")
			}
			for _, l := range strings.Fields(below) {
				var link Link
				fmt.Sscanf(strings.Replace(l, "_", " ", 1), "%d %s", &link.Version, &link.ID)
				links = append(links, link)
			}
			return links, nil
		}
		var version int64
		var id string
		fmt.Sscanf(strings.Replace(c.version, "_", " ", 1), "%d %s", &version, &id)
		ids, err := Lineage(store(t, c.files), version, id, c.rules, links)
		var got []string
		for _, v := range slices.Sorted(maps.Keys(ids)) {
			got = append(got, fmt.Sprintf("%d_%s", v, ids[v]))
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if strings.Join(got, " ") != c.want || strings.Join(read, " ") != c.read {
			t.Errorf("%s: got %q after the heads of %q, want %q after %q", c.story, got, read, c.want, c.read)
		}
	}
}
