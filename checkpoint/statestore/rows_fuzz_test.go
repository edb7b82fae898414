package statestore

import (
	"strings"
	"testing"
)

// FuzzRows puts any bytes in the place of one file of a checkpoint and reads its rows: what goes wrong is said,
// and nothing breaks down.
func FuzzRows(f *testing.F) {
	type place struct {
		files *memory
		name  string
		at    reading
	}
	var places []place
	for _, p := range [][2]string{
		{"state-4.3-hdfs-rich-values", "state/0/0/2.delta"},
		{"state-4.3-hdfs-join-inner", "state/0/0/left-keyToNumValues/2.delta"},
		{"state-4.3-hdfs-window-agg", "state/0/0/_metadata/schema"},
		{"state-4.3-rockscl-session", "state/0/0/2.changelog"},
		{"state-4.3-rockscl-tws-ttl", "state/0/_metadata/v2/0"},
		{"state-4.3-rockscl-tws-ttl", "state/0/0/2.changelog"},
		{"state-4.3-rocks-dedup", "state/0/0/2.zip"},
		{"state-4.3-rocks-tws-ttl-avro", "state/0/_stateSchema/default/0_fa37396e-e396-434b-8e0f-de1d952fd004"},
		{"state-4.3-hdfs-row-checksum", "offsets/1"},
	} {
		files := bytesOf(f, p[0])
		if files[p[1]] == nil {
			f.Fatalf("%s has no %s", p[0], p[1])
		}
		places = append(places, place{inMemory(files), p[1], reading{operator: 0, partition: 0, batch: 1}})
		f.Add(files[p[1]], byte(len(places)-1))
	}
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		p := places[int(which)%len(places)]
		_, errs := rowsAt(t.Context(), &replaced{p.files, p.name, data}, p.at)
		for _, err := range errs {
			if strings.Contains(err.Error(), "broke down") {
				t.Fatal(err)
			}
		}
	})
}
