package statestore

import (
	"slices"
	"testing"
)

// Of a side of a join a key is looked up by how its rows begin: every key finds the rows that a pass over
// all of them shows under it, and no others.
func TestFindInASideOfAJoin(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"state-3.5-hdfs-join-inner", "state-3.5-rocks-join-inner", "state-3.5-rockscl-join-inner", "state-4.1-rockscl-join-inner",
		"state-4.3-hdfs-join-inner", "state-4.3-hdfs-join-left", "state-4.3-rocks-join-inner", "state-4.3-rocks-join-v3", "state-4.3-rockscl-join-inner",
	} {
		s, err := At(t.Context(), golden(t, name), 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []string{"left", "right"} {
			v, err := s.View(side)
			if err != nil {
				t.Fatal(err)
			}
			byKey := map[string][]string{}
			for r, err := range s.Rows(t.Context(), v, -1) {
				if err != nil {
					t.Fatal(err)
				}
				key := string(r.Key.AppendJSON(nil))
				byKey[key] = append(byKey[key], string(r.AppendJSON(nil)))
			}
			if len(byKey) < 2 {
				t.Errorf("%s: only %d keys", name, len(byKey))
			}
			for key, want := range byKey {
				l, err := s.Find(v, key)
				if err != nil {
					t.Fatal(err)
				}
				if len(l.bytes) == 0 || len(l.count) == 0 {
					t.Errorf("%s: nothing is known of how %s is stored", name, key)
				}
				// What begins otherwise is not decoded at all.
				direct := *v
				counts := *v.counts
				direct.only, direct.counts = l.bytes, &counts
				counts.only, counts.whole = l.count, true
				var got []string
				for r, err := range s.Rows(t.Context(), &direct, l.Partition) {
					if err != nil {
						t.Fatal(err)
					}
					if r.View = v; string(r.Key.AppendJSON(nil)) == key {
						got = append(got, string(r.AppendJSON(nil)))
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s: %q, want %q", name, key, got, want)
				}
			}
			l, err := s.Find(v, `"no such key"`)
			if err != nil {
				t.Fatal(err)
			}
			for r, err := range l.Rows(t.Context(), -1) {
				t.Errorf("%s: a key that is not there: %s, %v", name, r.AppendJSON(nil), err)
			}
		}
	}
}
