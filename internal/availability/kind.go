package availability

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
)

// Kinds has one line per kind of source that something can be told of: what it still has, and what a start does
// where that is too little. Of a kind that is not here nothing but its name and its lines is known.
var Kinds = []*Kind{
	kafka,
	eventHubs,
	deltaKind,
	deltaSharing,
	icebergKind,
	paimon,
	hudi,
	kinesis,
	awsKinesis,
	pulsar,
	pubSubLite,
	file,
}

// Kind is what is known of a kind of source outside of the checkpoint.
type Kind struct {
	*source.Kind

	// Ask is who tells best what the source still has, where that is not a person.
	Ask Asked

	// What it still has.

	example string // of an earliest in a file of positions; "" where no position says what is still there (sockets, folders of files)
	// short reads such a position where it is shorter than the source's own line; ok is false where v is nothing
	// such. nil: there is no shorter form.
	short func(v decode.JSON) (parts []source.Part, ok bool)
	mark  string // the name in the root of such a table by which it is told; "" for none
	// look looks into the table or folder. What it finds goes into the Source; the error is about reaching the
	// bytes. nil: how this kind keeps its data is not known here.
	look func(context.Context, tablelog.Files, *SourceProgress, *Source) error

	// Whole is what it is kept by, where that is whole versions, of which the leading number of a position is one:
	// "versions", "snapshots". "" elsewhere.
	Whole string
	// Ahead is true where a query that has read all stands before the first file of the version to come.
	Ahead bool
	// MayBeDone is true where a position does not tell whether its version was read to the end: what is gone for
	// certain comes after it.
	MayBeDone bool
	Listed    bool // what is left is told as a list of snapshots, which have no order
	OneForAll bool // one position, a time, may stand for all parts
	FilesToo  bool // that a position is there does not show that the files are which it stands for

	// How a new query begins.

	// startAt is where, so that it goes on at an offset, given what the source has left. nil: at the position as it
	// is recorded.
	startAt func(o source.Offset, k *Source) (StartPosition, bool)
	// startFromTime is how it begins with what was written at a time or later. nil: no option for that is known.
	startFromTime func(o source.Offset, t time.Time) StartPosition
	// startAtParts is the same, from positions that were looked up for that time. nil: such are not looked up.
	startAtParts func(o source.Offset, parts []Part) StartPosition

	// What a start does about a loss, each a few sentences, with the option that decides it and what Spark does with
	// either value.

	OnLoss string // data is gone that it reads; "" where that is not known
	// OnLossUnsure is what to say after OnLoss where another kind may have written the lines.
	OnLossUnsure string
	// OnLossDeclared is what to say in place of OnLoss where the query declares failOnDataLoss. nil: that option does not decide it.
	OnLossDeclared func(fails bool) string
	// OnReset is about a source that ends at one position, before that of the checkpoint. nil: not known.
	OnReset func(at, end string) string
	// OnResetDeclared is the same where the query declares failOnDataLoss. nil: as OnReset.
	OnResetDeclared func(at, end string, fails bool) string
	// OnMissing is about a file that is gone; "" where nothing more is known than that a task stops at it.
	OnMissing string
	// Expired is about a snapshot that a query stands on and that the table has no more, SetAside about one that the
	// newest did not come from; only where what is left is Listed.
	Expired, SetAside Loss
}

// Loss is what to say of a loss that has words of its own.
type Loss struct {
	Meaning  string // what happened, and what a start does
	NextStep string
	Avoid    string
}

// Asked is who tells what a source still has.
type Asked byte

// Those who tell.
const (
	AskPositions Asked = iota // a person, with a file of positions
	AskBrokers                // the brokers of a Kafka cluster
	AskLocation               // the folder or the table, where it lies
)

// unknown is a kind of which nothing is known.
var unknown = &Kind{Kind: &source.Kind{}}

// Of returns what is known of a kind of source; never nil. k may be nil.
func Of(k *source.Kind) *Kind {
	if k == nil {
		return unknown
	}
	for _, known := range Kinds {
		if known.Kind == k {
			return known
		}
	}
	return &Kind{Kind: k}
}

// Marks returns what lies in the root of a table that can be looked into: an archive that has one of them at its top is one,
// and not a folder around one.
func Marks() (all []string) {
	for _, k := range Kinds {
		if k.mark != "" {
			all = append(all, k.mark)
		}
	}
	return all
}

// positionsOf reads positions of this kind: those of its own line, or shorter. The error is a *decode.Error where
// one value is to blame.
func (k *Kind) positionsOf(v decode.JSON) ([]source.Part, error) {
	if v.Kind == decode.Object && len(v.Fields) == 0 {
		return nil, nil
	}
	var lineErr error
	if k.Claims(v) && (v.Kind == decode.Object || v.Kind == decode.Array) {
		parts, err := k.Parts(v)
		if err == nil {
			return parts, nil
		}
		lineErr = err
	}
	if k.short != nil {
		if parts, ok := k.short(v); ok {
			return parts, nil
		}
	}
	if lineErr != nil {
		return nil, lineErr
	}
	return nil, fmt.Errorf("%s is not a position of a %s source: write it like %s", found(v), k.Name, k.example)
}

// wholeNumber returns a version or a snapshot.
func wholeNumber(v decode.JSON) ([]source.Part, bool) {
	n, ok := v.Int()
	return []source.Part{{Position: source.Position{Text: v.Text, Order: source.Number, Num: n}, At: v.At}}, ok
}

// FailsOnLoss returns what a query declares for failOnDataLoss: true is the default, and whatever is not "false" counts as true. declared is
// false where the spec does not say it.
func FailsOnLoss(d *spec.Source) (fails, declared bool) {
	value, declared := d.Option("failOnDataLoss")
	return !strings.EqualFold(value, "false"), declared
}

// failOnDataLoss is what the option of that name decides.
const failOnDataLoss = `What a start does then depends on failOnDataLoss, which no checkpoint records. With true, the default, it fails and
names the lost data. With false it continues from the oldest record left and only logs a warning. The lost records never reach the sink.`
