package source

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// Pulsar is the connector for Apache Pulsar by StreamNative. A line holds, per topic, the id of the
// last message that was read, as the bytes of a protobuf message in signed decimals:
//
//	{"persistent://public/default/orders-partition-0":[8,12,16,3,24,0,32,5]}
//
//	field 1, varint   ledger
//	field 2, varint   entry in the ledger
//	field 3, varint   partition
//	field 4, varint   message in a batch; absent, or -1, outside of one
//
// The example is ledger 12, entry 3, partition 0, message 5, shown as "12:3:0:5". Other fields
// (acknowledgements, batch size, first chunk) are passed over. Ledger and entry -1 are the earliest
// message, the largest 64-bit number the latest. Ids grow within a topic; a difference means nothing.
//
// The option startingOffsets takes the line itself.
//
// Written by PulsarSourceOffset/SpecificPulsarOffset through JsonUtils.topicOffsets; the bytes are
// MessageIdData of PulsarApi.proto.
var Pulsar = &Kind{
	Name:            "pulsar",
	Claims:          topicsOfBytes,
	Parts:           pulsarParts,
	Inclusive:       true,
	Identity:        pulsarTopics,
	StartingOffsets: func(line decode.JSON) (string, string) { return "startingOffsets", render(line) },

	Stream: true,
	First:  ReadsUncommitted,
}

func topicsOfBytes(line decode.JSON) bool {
	if line.Kind != decode.Object || len(line.Fields) == 0 {
		return false
	}
	for _, topic := range line.Fields {
		if !strings.Contains(topic.Name, "://") || topic.Value.Kind != decode.Array || len(topic.Value.Items) == 0 {
			return false // a topic of Pulsar has a full name: "persistent://tenant/namespace/topic"
		}
		for _, b := range topic.Value.Items {
			if n, ok := b.Int(); !ok || n < math.MinInt8 || n > math.MaxInt8 {
				return false
			}
		}
	}
	return true
}

func pulsarParts(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	if f := repeated(line.Fields); f != nil {
		r.reject(f.Value, "topic %q occurs twice", f.Name)
	}
	parts := make([]Part, 0, len(line.Fields))
	for _, topic := range line.Fields {
		data := make([]byte, len(topic.Value.Items))
		for i, item := range topic.Value.Items {
			n, _ := item.Int()
			data[i] = byte(n)
		}
		p, err := messageID(data)
		if err != nil {
			r.reject(topic.Value, "topic %q: %w", topic.Name, err)
			continue
		}
		parts = append(parts, Part{Name: topic.Name, Position: p, At: topic.Value.At})
	}
	return parts, r.err()
}

// messageID reads the bytes of a message id.
func messageID(data []byte) (Position, error) {
	fields := [5]int64{1: math.MinInt64, 2: math.MinInt64, 3: -1, 4: -1}
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return Position{}, errors.New("the message ID ends inside a field")
		}
		data = data[n:]
		v, n := binary.Uvarint(data)
		switch {
		case n <= 0:
			return Position{}, errors.New("the message ID ends inside a field")
		case tag&7 == 2 && v <= uint64(len(data)-n): // length and bytes
			n += int(v)
		case tag&7 != 0:
			return Position{}, errors.New("the bytes are not a message ID")
		case tag>>3 < uint64(len(fields)):
			fields[tag>>3] = int64(v)
		}
		data = data[n:]
	}
	ledger, entry, partition, message := fields[1], fields[2], fields[3], fields[4]
	if ledger == math.MinInt64 || entry == math.MinInt64 {
		return Position{}, errors.New("the message ID has no ledger or no entry")
	}
	p := Position{Order: BigNumber, Big: big.NewInt(ledger), Num: entry, Sub: message}
	switch {
	case ledger == -1 && entry == -1:
		p.Text = "earliest"
		return p, nil
	case ledger == math.MaxInt64 && entry == math.MaxInt64:
		p.Text = "latest"
		return p, nil
	}
	text := []string{strconv.FormatInt(ledger, 10), strconv.FormatInt(entry, 10), strconv.FormatInt(partition, 10)}
	if message >= 0 {
		text = append(text, strconv.FormatInt(message, 10))
	}
	p.Text = strings.Join(text, ":")
	return p, nil
}

// pulsarTopics are the topics of a line; the partitions of one are told by a suffix.
func pulsarTopics(line decode.JSON) string {
	topics := slices.Clone(line.Fields)
	for i, f := range topics {
		if at := strings.LastIndex(f.Name, "-partition-"); at >= 0 && isPartition(f.Name[at+len("-partition-"):]) {
			topics[i].Name = f.Name[:at]
		}
	}
	return names(topics)
}
