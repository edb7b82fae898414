package log

import (
	"testing"

	"tidemark/checkpoint/decode"
)

func TestOperatorMetadata(t *testing.T) {
	t.Parallel()
	const v1 = "v1\n" + `{"operatorInfo":{"operatorId":0,"operatorName":"stateStoreSave"},"stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":200}]}`
	const v2 = "v2\n" + `{"operatorInfo":{"operatorId":3,"operatorName":"symmetricHashJoin"},"stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":2,"stateSchemaFilePaths":["file:/a","file:/b"]}],"operatorPropertiesJson":"{\"useVirtualColumnFamilies\":true}"}`
	m := ParseOperatorMetadata("state/0/_metadata/metadata", []byte(v1))
	if m.Version != 1 || m.ID != 0 || m.Name != "stateStoreSave" || len(m.Stores) != 1 || m.Stores[0].Name != "default" || m.Stores[0].Partitions != 200 || len(m.Problems) > 0 {
		t.Errorf("version 1: %+v", m)
	}
	m = ParseOperatorMetadata("state/3/_metadata/v2/0", []byte(v2))
	if m.Version != 2 || m.ID != 3 || len(m.Stores) != 1 || len(m.Stores[0].SchemaFiles) != 2 || m.Properties != `{"useVirtualColumnFamilies":true}` || len(m.Problems) > 0 {
		t.Errorf("version 2: %+v", m)
	}
	for _, good := range []string{v1, v2} {
		for n := range len(good) {
			if m := ParseOperatorMetadata("m", []byte(good[:n])); len(m.Problems) == 0 {
				t.Errorf("cut at %d of %q: no problem", n, good)
			}
		}
	}
	for data, flaw := range map[string]decode.Flaw{
		"": decode.Empty, "garbage": decode.NoVersion, "v9\n" + v1[3:]: decode.VersionUnknown, "v1\n[]": decode.NotObject, "v1\n{}": decode.Value,
		"v1\n" + `{"operatorInfo":{"operatorName":"x"},"stateStoreInfo":[{"storeName":"default","numPartitions":"many"}]}`: decode.Value,
	} {
		if m := ParseOperatorMetadata("m", []byte(data)); !has(m.Problems, []decode.Flaw{flaw}) {
			t.Errorf("%q: %v, want %s", data, m.Problems, flaw)
		}
	}
}

func FuzzOperatorMetadata(f *testing.F) {
	f.Add([]byte("v1\n" + `{"operatorInfo":{"operatorId":0,"operatorName":"x"},"stateStoreInfo":[{"storeName":"default","numPartitions":2}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m := ParseOperatorMetadata("m", data); m.Name == "" && len(m.Problems) == 0 {
			t.Error("no name and no problem")
		}
	})
}
