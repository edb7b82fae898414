package statestore

import (
	"slices"
	"strings"
	"testing"

	"tidemark/internal/testfiles"
)

// Format 1 of flatMapGroupsWithState declares its timeout an integer and writes a long: the rows show the
// whole of it. Where the operator is not recorded the shape of its value tells it. An integer of that name
// in another operator is one.
func TestTimeoutOfFormat1(t *testing.T) {
	t.Parallel()
	const recorded = "v1\n" + `{"operatorInfo":{"operatorId":0,"operatorName":"NAME"},"stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":1}]}`
	base := with(testfiles.Logs(0, `"spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion":"1"`), map[string]string{
		"state/0/0/1.delta": deltaOf(
			putRecord(unsafeRow("a"), unsafeRow(int64(3), int64(1700000012345))),
			putRecord(unsafeRow("b"), unsafeRow(int64(4), int64(-1))),
			putRecord(unsafeRow("c"), unsafeRow(nil, int64(7)))),
		"state/0/0/_metadata/schema": schemaV2("value string", "count long, timeoutTimestamp integer"),
	})
	whole := []string{
		`{"partition_id":0,"key":{"value":"a"},"value":{"count":3,"timeoutTimestamp":1700000012345}}`,
		`{"partition_id":0,"key":{"value":"b"},"value":{"count":4,"timeoutTimestamp":-1}}`,
		`{"partition_id":0,"key":{"value":"c"},"value":{"count":null,"timeoutTimestamp":7}}`,
	}
	name := func(of string) map[string]string {
		return map[string]string{"state/0/_metadata/metadata": strings.Replace(recorded, "NAME", of, 1)}
	}
	for _, test := range []struct {
		story string
		files map[string]string
		want  []string
	}{
		{"nothing records the operator", base, whole},
		{"recorded", with(base, name("flatMapGroupsWithState")), whole},
		{"its like in Python", with(base, name("applyInPandasWithState")), whole},
		{"another operator", with(base, name("stateStoreSave")), []string{
			`{"partition_id":0,"key":{"value":"a"},"value":{"count":3,"timeoutTimestamp":-807036871}}`,
			`{"partition_id":0,"key":{"value":"b"},"value":{"count":4,"timeoutTimestamp":-1}}`,
			`{"partition_id":0,"key":{"value":"c"},"value":{"count":null,"timeoutTimestamp":7}}`,
		}},
	} {
		c := open(t, testfiles.Tree(test.files))
		if got := rowsOf(t, c, rowsRequest{Batch: -1, Partition: -1}); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q", test.story, got)
		}
	}
}
