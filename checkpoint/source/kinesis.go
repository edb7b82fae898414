package source

import (
	"math/big"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// Kinesis is the open connector for Amazon Kinesis by Qubole (format "kinesis"). A line holds, per
// shard, how reading it goes on; everything is a string:
//
//	{"metadata":{"streamName":"clicks","batchId":"7"},
//	 "shardId-000000000000":{"iteratorType":"AFTER_SEQUENCE_NUMBER","iteratorPosition":"49605240428200006291917297020490128157480794051565322242"},
//	 "shardId-000000000001":{"iteratorType":"TRIM_HORIZON","iteratorPosition":""}}
//
// Unlike all other kinds, the line of batch N is where N starts. Where it ended is written by the
// executors, one file a shard, to sources/<i>/shard-commit/<batchId>/<shard>; batchId is the
// connector's own counter, not Spark's batch.
//
// A sequence number has 56 digits and grows within a shard, with gaps: a difference means nothing.
// AFTER_SEQUENCE_NUMBER names the last record that was read, AT_SEQUENCE_NUMBER the next one;
// AT_TIMESTAMP has ms since the epoch; SHARD_END is a closed shard that was read to its end.
// TRIM_HORIZON (the oldest record that is left) and LATEST depend on the day they are read and have
// no order.
//
// The option startingPosition takes the line itself. The query then starts where this batch did.
//
// Written by KinesisSourceOffset; the option is read by InitialKinesisPosition.fromCheckpointJson.
var Kinesis = &Kind{
	Name:            "kinesis",
	Claims:          func(line decode.JSON) bool { return shards(line) && !aggregates(line) },
	Parts:           func(line decode.JSON) ([]Part, error) { return shardParts(line, false) },
	LogsStart:       true,
	Inclusive:       true,
	Identity:        streamName,
	StartingOffsets: func(line decode.JSON) (string, string) { return "startingPosition", render(line) },
	Repeats:         repeatsBatch,

	Stream:    true,
	Folders:   []string{"shard-commit", "shard-source"},
	EndsApart: true,
}

// AWSKinesis is the open connector for Amazon Kinesis by AWS Labs (format "aws-kinesis"), which grew
// out of Qubole's. Each shard has two fields more, for records that producers packed into one:
//
//	{"metadata":{"streamName":"clicks","batchId":"1"},
//	 "shardId-000000000000":{"subSequenceNumber":"-1","isLast":"true","iteratorType":"AFTER_SEQUENCE_NUMBER","iteratorPosition":"4960…"}}
//
// subSequenceNumber is the place within the packed record, -1 outside of one; isLast false says that
// the batch ended inside of it. This connector too logs where a batch starts; the ends are in
// sources/<i>/shard-source/<batchId>/<shard>, in another folder or in a DynamoDB table.
//
// Written by KinesisV2SourceOffset.
var AWSKinesis = &Kind{
	Name:            "aws-kinesis",
	Aliases:         []string{"kinesis"},
	Claims:          func(line decode.JSON) bool { return shards(line) && aggregates(line) },
	Parts:           func(line decode.JSON) ([]Part, error) { return shardParts(line, true) },
	LogsStart:       true,
	Inclusive:       true,
	Identity:        streamName,
	StartingOffsets: func(line decode.JSON) (string, string) { return "kinesis.startingPosition", render(line) },
	Repeats:         repeatsBatch,

	Stream:    true,
	Folders:   []string{"shard-commit", "shard-source"},
	EndsApart: true,
}

const shardMetadata = "metadata" // the field that is no shard

// shards is the shape that both open connectors share.
func shards(line decode.JSON) bool {
	m, ok := line.Get(shardMetadata)
	if !ok || !has(m, "batchId", "streamName") {
		return false
	}
	for _, f := range line.Fields {
		if f.Name != shardMetadata && !has(f.Value, "iteratorType", "iteratorPosition") {
			return false
		}
	}
	return true
}

// aggregates tells the connector of AWS Labs.
func aggregates(line decode.JSON) bool {
	for _, f := range line.Fields {
		if f.Name != shardMetadata && has(f.Value, "subSequenceNumber", "isLast") {
			return true
		}
	}
	return false
}

// repeatsBatch: the line is where its batch starts.
func repeatsBatch(decode.JSON) string { return "the batch of this line, which starts there" }

func streamName(line decode.JSON) string {
	m, _ := line.Get(shardMetadata)
	return text(m, "streamName")
}

func shardParts(line decode.JSON, packed bool) ([]Part, error) {
	r := reader{line: line}
	if f := repeated(line.Fields); f != nil {
		r.reject(f.Value, "%q occurs twice", f.Name)
	}
	m, _ := line.Get(shardMetadata)
	if v, _ := m.Get("streamName"); v.Kind != decode.String || v.Text == "" {
		r.reject(v, "streamName: %s is not a stream", shown(v))
	}
	if v, _ := m.Get("batchId"); v.Kind != decode.String || !isInt64(v.Text) {
		r.reject(v, "batchId: %s is not a number in quotes", shown(v))
	}
	parts := make([]Part, 0, len(line.Fields))
	for _, f := range line.Fields {
		if f.Name == shardMetadata {
			continue
		}
		if p, ok := shardPosition(&r, f, packed); ok {
			parts = append(parts, p)
		}
	}
	return parts, r.err()
}

// afterAllRecords orders SHARD_END behind every sequence number: those have 186 bits.
var afterAllRecords = new(big.Int).Lsh(big.NewInt(1), 256)

func shardPosition(r *reader, shard decode.Field, packed bool) (Part, bool) {
	kind, _ := shard.Value.Get("iteratorType")
	at, _ := shard.Value.Get("iteratorPosition")
	if at.Kind != decode.String {
		r.reject(at, "shard %q: iteratorPosition: %s is not a string", shard.Name, shown(at))
		return Part{}, false
	}
	p := Part{Name: shard.Name, Position: Position{Text: kind.Text}, At: kind.At}
	switch strings.ToUpper(kind.Text) {
	case "TRIM_HORIZON", "LATEST":
		return p, true
	case "SHARD_END":
		p.Position.Order, p.Position.Big = BigNumber, afterAllRecords
		return p, true
	case "AT_TIMESTAMP":
		ms, err := strconv.ParseInt(at.Text, 10, 64)
		if err != nil {
			r.reject(at, "shard %q: %s is not a time in ms", shard.Name, shown(at))
			return Part{}, false
		}
		p.Position.Text += " " + at.Text
		p.Position.Order, p.Position.Num = Number, ms
		return p, true
	case "AT_SEQUENCE_NUMBER":
		p.Position.Text += " " + at.Text
	case "AFTER_SEQUENCE_NUMBER":
		p.Position.Text, p.At = at.Text, at.At
		p.Position.Num = 1 // of one sequence number, "after" is later than "at"
	default:
		r.reject(kind, "shard %q: %s is not an iterator type", shard.Name, shown(kind))
		return Part{}, false
	}
	n, ok := sequenceNumber(at.Text)
	if !ok {
		r.reject(at, "shard %q: %s is not a sequence number", shard.Name, shown(at))
		return Part{}, false
	}
	p.Position.Order, p.Position.Big = BigNumber, n
	if packed {
		return p, within(r, &p, shard)
	}
	return p, true
}

// within adds the place in a packed record. A batch that read the record whole is further on than
// one that ended inside of it.
func within(r *reader, p *Part, shard decode.Field) bool {
	v, ok := shard.Value.Get("subSequenceNumber")
	if !ok {
		v = shard.Value
	}
	sub, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil || sub < -1 {
		r.reject(v, "shard %q: subSequenceNumber: %s is not a number", shard.Name, shown(v))
		return false
	}
	if last, _ := shard.Value.Get("isLast"); last.Text == "true" {
		p.Position.Num++
	}
	if sub >= 0 {
		p.Position.Text += ":" + v.Text
		p.Position.Sub = sub
	}
	return true
}

// sequenceNumber is a decimal of up to 128 digits; Kinesis promises no more.
func sequenceNumber(s string) (*big.Int, bool) {
	if len(s) == 0 || len(s) > 128 || strings.Trim(s, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

func isInt64(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}
