package delta

import (
	"context"
	"errors"

	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// Checksum is what the checksum file of a version says beside its sums:
//
//	{"txnId":"…","numFiles":4,"setTransactions":[{"appId":"…","version":3,"lastUpdated":…}],"metadata":{…},…}
//
// Delta 4.0 writes setTransactions; other releases may leave it out, and may leave out the whole file.
type Checksum struct {
	Txns     []Txn
	Listed   bool      // setTransactions is there: what it does not name may still be in the log
	Metadata *Metadata // nil where absent
}

const checksumLimit = 16 << 20 // bytes: it can list all files of a small table

// ReadChecksum reads the checksum file of a version. It is nil where there is none, or none that can be read:
// it is a short cut, and nothing stands in it alone.
func (l *Log) ReadChecksum(ctx context.Context, v int64) (*Checksum, error) {
	e, ok := l.Checksums[v]
	if !ok {
		return nil, nil
	}
	data, err := tablelog.Read(ctx, l.files, l.Name(e.Name), checksumLimit)
	if _, tooLong := errors.AsType[*tablelog.TooLongError](err); tooLong || tablelog.Missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	outer, err := decode.ParseFields(data)
	if err != nil {
		return nil, nil
	}
	c, at := &Checksum{}, l.Where(e.Name)
	if m, ok := outer.Get("metadata"); ok && m.Kind == decode.Object {
		if v, err := decode.ParseJSON(data[m.At:m.End]); err == nil {
			c.Metadata = metadata(v, at)
		}
	}
	all, ok := outer.Get("setTransactions")
	if !ok || all.Kind != decode.Array {
		return c, nil
	}
	list, err := decode.ParseJSON(data[all.At:all.End])
	if err != nil {
		return c, nil
	}
	c.Listed = true
	for _, item := range list.Items {
		if t, err := (Action{Name: "txn", Where: at}).txn(item); err == nil {
			c.Txns = append(c.Txns, t)
		}
	}
	return c, nil
}
