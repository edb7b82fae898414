package log

import (
	"bytes"
	"errors"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
)

// Initial is where a source began to read, in a file that the source writes once, before batch 0:
// sources/<i>/0, for Iceberg sources/<i>/offsets/0. The layouts:
//
//	00 v1⏎{"orders":{"0":23,"1":0}}      Kafka, Event Hubs, Pulsar, Hudi: a zero byte first
//	v1⏎1764403200000                     rate: when it was created, ms since the epoch
//	v1⏎{"offset":0,"timestamp":0}        rate-micro-batch
//	{"version":1,"snapshot_id":…}        Iceberg: nothing before the JSON
//	1c {"orders":{"0":23,"1":0}}         Kafka of Spark 2.1.0: the low byte of the length, no version
//
// The zero byte keeps 2.1.0 from reading what later releases wrote. Later ones skip the first byte,
// whatever it is, and read the old layout; 2.1.0 reads no more bytes than its first byte says, so it
// cannot read back an offset longer than 255 bytes (SPARK-19517).
//
// Written by KafkaSourceInitialOffsetWriter and its like. It is read again only while no batch has
// an offset of the source.
type Initial struct {
	File     string
	Old      bool   // the layout of Spark 2.1.0
	Length   int    // of the old layout: its first byte
	Zero     bool   // a zero byte stands first
	Version  int    // of the version line; 0 where there is none
	Text     string // what follows all that, as written
	Offset   source.Offset
	Problems []*decode.Error // in the order of the file
}

// ParseInitialOffsets reads the bytes of such a file. It always returns an Initial. Which source it
// is of is not recorded: that of Iceberg's layout is known by the name of its file.
func ParseInitialOffsets(file string, data []byte) *Initial {
	const what = "initial offset"
	n := &Initial{File: file}
	at := decode.Where{File: file, Line: 1}
	fail := func(at decode.Where, flaw decode.Flaw, err error) {
		n.Problems = append(n.Problems, &decode.Error{Where: at, Flaw: flaw, What: what, Err: err})
	}
	if len(data) == 0 {
		fail(decode.Where{File: file}, decode.Empty, errors.New("the file is empty"))
		return n
	}
	body := data
	if bytes.HasPrefix(body, bom) {
		fail(at, decode.ByteOrderMark, errors.New("a byte order mark (EF BB BF) precedes the offset"))
		body, at = body[len(bom):], at.In(len(bom))
	}
	switch {
	case len(body) > 0 && body[0] == 0:
		n.Zero, body, at = true, body[1:], at.In(1)
		n.Old = looksLikeJSON(body)
	case len(body) > 1 && body[1] == '{':
		n.Old, n.Length, body, at = true, int(body[0]), body[1:], at.In(1)
	}
	if len(body) > 0 && body[0] == 'v' {
		text, rest, found := bytes.Cut(body, []byte("\n"))
		version, err := parseVersion(bytes.TrimSuffix(text, []byte("\r")))
		switch {
		case err != nil:
			fail(at, decode.NoVersion, err)
		case version > 1:
			fail(at, decode.VersionUnknown, fmt.Errorf("v%d is newer than the newest known version (v1)", version))
		}
		n.Version = version
		if !found {
			fail(at.In(len(text)), decode.Cut, errors.New("the file ends after its version line: the offset is missing"))
			return n
		}
		at.Line, at.Offset, body = 2, at.Offset+int64(len(text))+1, rest
	}
	if len(bytes.TrimSpace(body)) == 0 {
		fail(at, decode.Cut, errors.New("the file ends before the offset"))
		return n
	}
	text := bytes.TrimRight(body, "\r\n")
	n.Text = string(text)
	n.Offset = source.Decode(text, at)
	if problem, ok := errors.AsType[*decode.Error](n.Offset.Problem); ok {
		n.Problems = append(n.Problems, problem)
	}
	return n
}

// Shard is where one shard of a Kinesis stream stood at the end of a batch of the connector:
// sources/<i>/shard-commit/<batch>/<shard> (Qubole) or sources/<i>/shard-source/<batch>/<shard>
// (AWS Labs), one JSON object, no version line:
//
//	{"shardId":"shardId-000000000000","iteratorType":"AFTER_SEQUENCE_NUMBER","iteratorPosition":"4960…"}
//
// The start of the next batch is built from these files. AWS Labs adds subSequenceNumber and isLast.
//
// Written by ShardOffsetsCommitter and HDFSMetadataCommitter through ShardInfo's JSON.
type Shard struct {
	File     string
	ID       string // "shardId-000000000000"
	Type     string // TRIM_HORIZON, LATEST, AT_TIMESTAMP, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER, SHARD_END
	Position string // a sequence number, or ms since the epoch; "" for some types
	Problems []*decode.Error
}

// ParseShard reads the bytes of such a file. It always returns a Shard.
func ParseShard(file string, data []byte) *Shard {
	const what = "shard position"
	s := &Shard{File: file}
	at := decode.Where{File: file, Line: 1}
	if len(data) == 0 {
		s.Problems = append(s.Problems, &decode.Error{Where: decode.Where{File: file}, Flaw: decode.Empty, What: what,
			Err: errors.New("the file is empty")})
		return s
	}
	body := data
	if version, rest, found := bytes.Cut(data, []byte("\n")); found && !looksLikeJSON(data) {
		if _, err := parseVersion(version); err == nil { // the AWS Labs metadata log has a version line
			body, at = rest, decode.Where{File: file, Line: 2, Offset: int64(len(version)) + 1}
		}
	}
	v, problem := object(line{bytes.TrimRight(body, "\r\n"), at}, what)
	if problem != nil {
		s.Problems = append(s.Problems, problem)
		return s
	}
	s.ID, s.Type, s.Position = text(v, "shardId"), text(v, "iteratorType"), text(v, "iteratorPosition")
	if s.ID == "" || s.Type == "" {
		s.Problems = append(s.Problems, &decode.Error{Where: at.In(v.At), Flaw: decode.Value, What: what, Err: fmt.Errorf("%s has no shardId or no iteratorType", quote(body))})
	}
	return s
}
