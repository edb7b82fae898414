package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"tidemark/checkpoint/decode"
)

// Kinds has one line per kind of source, likeliest first where some share a shape.
var Kinds = []*Kind{
	Kafka,
	EventHubs,
	Delta,
	DeltaSharing,
	Iceberg,
	Paimon,
	AutoLoader,
	Hudi,
	Kinesis,
	AWSKinesis,
	DatabricksKinesis,
	Pulsar,
	Redis,
	SequentialUnion,
	RateMicroBatch,
	RateContinuous,
	Rate, // a bare integer is one of five
	Socket,
	Memory,
	MQTT,
	File,
	SocketContinuous,
	PubSubLite, // partition → number is one of two
	ContinuousMemory,
}

// ByName returns the kind with this name, or with this other name (see Kind.Aliases) where no kind has it
// as its first; nil if there is none.
func ByName(name string) *Kind {
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	for _, k := range Kinds {
		if k.Is(name) {
			return k
		}
	}
	return nil
}

// Kind is one kind of source: what its lines look like and what they mean.
//
// All functions but Claims are given lines that Claims accepts and nothing else.
type Kind struct {
	Name    string   // as a query spec names it: "kafka", "event-hubs", "delta"
	Aliases []string // what else a query spec or Spark's format() may call it: "kinesis" for "aws-kinesis"
	Unit    string   // what a position counts: "records", "log entries", "seconds"; "" where a difference means nothing

	// Claims reports whether line has the shape this kind writes. The log does not record the
	// kind, and some kinds share a shape, so a claim is a possibility and not a proof.
	Claims func(line decode.JSON) bool

	// Parts reads the positions of line. What could be read comes back beside the error, whose
	// Where.Offset counts from the start of the line.
	Parts func(line decode.JSON) ([]Part, error)

	// LogsStart is true for the kinds whose line for batch N is where N starts. All others log
	// where N ends, which is where N+1 starts.
	LogsStart bool

	// Inclusive is true where a position names the last thing read, false where it names the next
	// thing to read.
	Inclusive bool

	// Identity is what makes the source the one it is, where the line records it: a Delta table
	// id, a stream name, the set of topics. "" where it records none. nil: this kind never does.
	Identity func(line decode.JSON) string

	// Snapshot says how far a table source is within the first full snapshot of its table: which
	// version, and what of it is read, in words. ok is false where it is past the snapshot, or never
	// was in one. nil: this kind has no such thing.
	Snapshot func(line decode.JSON) (words string, ok bool)

	// Count is how many units lie between two positions of one part; ok is false where a
	// difference means nothing. nil: Position.Minus of two whole numbers. See CountIs.
	Count func(from, to Position) (n int64, ok bool)

	// CountIs says what Count yields: "exact", or "at most" where the truth may be lower (Kafka:
	// transaction markers, aborted and compacted records). "" is "exact".
	CountIs string

	// StartingOffsets is the line in the form that a new query's source option takes to go on
	// where this line stands, and the name of that option. An empty value: the option has none that
	// goes on there. nil: there is no such option.
	StartingOffsets func(line decode.JSON) (option, value string)

	// Repeats says, in words, what a query that starts with StartingOffsets reads although it was
	// read before; "" for nothing. nil: it repeats nothing.
	Repeats func(line decode.JSON) string

	// What it reads.

	Topics    bool   // the parts are partitions of topics, as Kafka names them: "orders/0"
	Stream    bool   // records of topics or shards, which something outside keeps for a time
	Table     Format // of the table that it reads; "" where it reads none
	TableID   bool   // Identity is the id of that table
	Generated bool   // it makes up its rows, and after a restart the same ones
	Volatile  bool   // nothing outside keeps its rows, so nothing can be asked for them

	// What it keeps in its own folder of the checkpoint, sources/N.

	First       FirstFile // when it reads the file in which it keeps where it began
	KeepsFolder bool      // there is always a file in it
	Folders     []string  // in it, of which it needs one to go on; nil where the plans hold all it needs
	EndsApart   bool      // where a batch ended stands in these folders, one folder a batch, and not in a plan

	// How it goes on from a line.

	// Taken reads a line as a start does, which takes more than the source writes, and so do only those that plan each batch as ranges of
	// partitions and hold them against what the brokers have, by the option failOnDataLoss. nil: that is not so.
	Taken func(line decode.JSON) ([]Part, error)

	PartCount bool    // it refuses a line with another number of parts than its own
	PartsMove bool    // parts come and go all the time, so that two lines need not have the same
	Follows   []*Kind // whose lines it reads as its own: a source may have changed from one of them to this one
	SchemaLog bool    // it can keep a log of the schemas of its table
	OnAnother string  // how it refuses the line of another kind; "" where that is not known
	// Unread is how it refuses a line of its own form that is of a version it does not read, and what shows that; "" where it reads it. nil: there
	// are no versions.
	Unread       func(raw string) (condition, because string)
	OnGarbled    string // how it refuses a line that is no JSON; "" where it says what its parser says
	OnOtherTable string // the condition with which it refuses a line of another table; "" where it takes it

	// Described are the beginnings of its descriptions in progress events, each to the bracket that opens
	// what it reads. Located is true where that is a location.
	Described []string
	Located   bool
}

// Format is the format of a table.
type Format string

// The formats of tables that are read as sources.
const (
	DeltaTable   Format = "Delta"
	IcebergTable Format = "Iceberg"
	HudiTable    Format = "Hudi"
	PaimonTable  Format = "Paimon"
)

// FirstFile is when a source reads the file in its folder that says where it began.
type FirstFile byte

// The times at which a source reads that file.
const (
	NeverReads       FirstFile = iota // or it keeps none
	ReadsUncommitted                  // while no batch is committed
	ReadsAlways                       // at every start
)

// EndFolders returns the folders in which a kind of source keeps where its batches ended (see Kind.EndsApart), each once.
func EndFolders() (all []string) {
	for _, k := range Kinds {
		for _, dir := range k.Folders {
			if k.EndsApart && !slices.Contains(all, dir) {
				all = append(all, dir)
			}
		}
	}
	return all
}

// unknown is the kind of a line that no kind claims.
var unknown = &Kind{}

// Likeliest returns the kind that most likely writes this shape; one without a name and without any property where no kind does.
func (o Offset) Likeliest() *Kind {
	if len(o.Kinds) == 0 {
		return unknown
	}
	return o.Kinds[0]
}

// TakenAs reads the line as a start of this kind of source does; see Kind.Taken, which k must have. The error is a *decode.Error with its place.
func (o Offset) TakenAs(k *Kind) ([]Part, error) {
	parts, err := k.Taken(o.Line)
	if err != nil {
		err = placed(err, o.Where, k.Name+" offset")
	}
	return parts, err
}

// TableID returns the id of the table that the line is about; "" where it records none.
func (o Offset) TableID() string {
	if !o.Likeliest().TableID {
		return ""
	}
	return o.Identity()
}

// Is reports whether the kind goes by this name, in a query spec or in Spark's format().
func (k *Kind) Is(name string) bool { return k.Name == name || slices.Contains(k.Aliases, name) }

// Offset is how far one source has been read, in one shape for every kind.
type Offset struct {
	Name    string      // of a named source (offset log v2); else ""
	None    bool        // the line is "-": this source has no offset yet
	Kinds   []*Kind     // kinds that write this shape, likeliest first; none when no decoder knows it
	Parts   []Part      // in the order written
	Raw     string      // the offset as written, without the name of a named source
	Line    decode.JSON // Raw, parsed; its zero value when it does not parse or is "-"
	Where   decode.Where
	Problem error // what would not decode: a *decode.Error; Parts then holds what came before it
	// Trailing is what stands behind the offset in its line; nil for nothing. Spark's sources do not look at it.
	Trailing *decode.Error
}

// Part is one position of a source: a partition, a shard, or the whole source.
type Part struct {
	Name     string // "orders/0", "shardId-000000000001"; "" where the source has only one part
	Position Position
	Unit     string // what Position counts: "records", "log entries"; "" where a difference means nothing, or where kinds that fit disagree
	At       int    // bytes from the start of the line to the position
}

// Position is where one part stands.
type Position struct {
	Text  string // the position as written, its pieces joined: "1042", "57:-1", "TRIM_HORIZON"
	Order Order  // how two of them compare

	Num int64    // by Number: the position; by Pair and Within: the leading one, such as a Delta version
	Sub int64    // by Pair and Within: the following one, such as a file's index within the version
	Big *big.Int // by BigNumber: the leading one; Num and Sub follow where two are equal
}

// Order is how positions compare.
type Order byte

// The orders of positions.
const (
	Unordered Order = iota // only equal or not: "LATEST", "TRIM_HORIZON"
	Number                 // by Num
	Pair                   // by Num, then Sub
	Within                 // by Sub where Num is equal, else unordered: a position within an Iceberg snapshot
	BigNumber              // by Big, then Num, then Sub
)

// Minus returns how far p lies after q; ok is false where that is no 64-bit number.
func (p Position) Minus(q Position) (n int64, ok bool) {
	if p.Order != Number || q.Order != Number {
		return 0, false
	}
	n = p.Num - q.Num
	return n, (n > 0) == (p.Num > q.Num)
}

// Compare orders two positions of the same part; ok is false where they have no order between them.
func (p Position) Compare(q Position) (c int, ok bool) {
	if p.Text == q.Text {
		return 0, true
	}
	if p.Order != q.Order {
		return 0, false
	}
	switch p.Order {
	case Number:
		return cmp.Compare(p.Num, q.Num), true
	case Pair:
		return cmp.Or(cmp.Compare(p.Num, q.Num), cmp.Compare(p.Sub, q.Sub)), true
	case Within:
		return cmp.Compare(p.Sub, q.Sub), p.Num == q.Num
	case BigNumber:
		return cmp.Or(p.Big.Cmp(q.Big), cmp.Compare(p.Num, q.Num), cmp.Compare(p.Sub, q.Sub)), true
	}
	return 0, false
}

// Range is what one batch reads of one part.
type Range struct {
	Part    string
	From    *Position // nil where the start is not recorded: a part that joined, or a source's first batch
	To      *Position // nil where the part is gone, or where the end is not recorded (kinds that log the start)
	Count   int64     // how many units lie between, from 0; meaningful only if Counted
	Counted bool
	CountIs string // "exact" or "at most"; "" if not Counted
	Unit    string
}

// Ranges returns what a batch reads that ends at to and starts at from, part by part: those of to in
// their order, then those that only from has. Both are of the same source; either may be None.
func Ranges(from, to Offset) []Range {
	started := make(map[string]*Position, len(from.Parts))
	for i := range from.Parts {
		started[from.Parts[i].Name] = &from.Parts[i].Position
	}
	var kind *Kind
	if len(to.Kinds) > 0 {
		kind = to.Kinds[0]
	}
	out := make([]Range, 0, len(to.Parts))
	for i := range to.Parts {
		p := &to.Parts[i]
		r := Range{Part: p.Name, From: started[p.Name], To: &p.Position, Unit: p.Unit}
		delete(started, p.Name)
		r.count(kind)
		out = append(out, r)
	}
	for i := range from.Parts {
		if p := &from.Parts[i]; started[p.Name] != nil {
			out = append(out, Range{Part: p.Name, From: &p.Position, Unit: p.Unit})
		}
	}
	return out
}

func (r *Range) count(kind *Kind) {
	if r.From == nil || r.To == nil || r.Unit == "" {
		return
	}
	r.CountIs = "exact"
	if kind != nil && kind.CountIs != "" {
		r.CountIs = kind.CountIs
	}
	if kind != nil && kind.Count != nil {
		r.Count, r.Counted = kind.Count(*r.From, *r.To)
	} else {
		r.Count, r.Counted = r.To.Minus(*r.From)
	}
	if !r.Counted || r.Count < 0 { // backwards: nothing lies between
		r.Count, r.Counted, r.CountIs = 0, false, ""
	}
}

// KindNames returns the names of the kinds that write this shape, likeliest first; ["unknown"] for none.
func (o Offset) KindNames() []string {
	if len(o.Kinds) == 0 {
		return []string{"unknown"}
	}
	names := make([]string, len(o.Kinds))
	for i, k := range o.Kinds {
		names[i] = k.Name
	}
	return names
}

// Ambiguous reports whether more than one kind writes this shape. What only some of them would say
// (a unit, inclusive or not) is then a guess until something else tells the kind.
func (o Offset) Ambiguous() bool { return len(o.Kinds) > 1 }

// As returns the offset read as one kind, where something beside the line tells it: a query spec, or what
// the source keeps in its folder. An offset that k does not claim comes back as it is.
func (o Offset) As(k *Kind) Offset {
	if k == nil || !slices.Contains(o.Kinds, k) {
		return o
	}
	o.read([]*Kind{k})
	return o
}

// Identity returns what the line records of which table, stream or topics it is about; "" if nothing.
func (o Offset) Identity() string {
	identity := o.Likeliest().Identity
	if identity == nil || o.Problem != nil {
		return ""
	}
	return identity(o.Line)
}

// Snapshot says how far a table source is within the first full snapshot of its table; ok is false
// where it is in none. See Kind.Snapshot.
func (o Offset) Snapshot() (words string, ok bool) {
	snapshot := o.Likeliest().Snapshot
	if snapshot == nil || o.Problem != nil {
		return "", false
	}
	return snapshot(o.Line)
}

// StartingOffsets returns the option and its value with which a new query goes on where this offset
// stands, and what it then reads twice, in words ("" for nothing). ok is false where the kind has
// no such option, or no value of it goes on there.
func (o Offset) StartingOffsets() (option, value, repeats string, ok bool) {
	k := o.Likeliest()
	if k.StartingOffsets == nil || o.Problem != nil {
		return "", "", "", false
	}
	if option, value = k.StartingOffsets(o.Line); value == "" {
		return "", "", "", false
	}
	if k.Repeats != nil {
		repeats = k.Repeats(o.Line)
	}
	return option, value, repeats, true
}

// LogsStart reports whether this offset is where its batch starts rather than where it ends.
func (o Offset) LogsStart() bool { return o.Likeliest().LogsStart }

// Decode reads the line that one source wrote, which stands at where.
// A line that no kind claims is no error: the offset of a source is opaque to Spark's log, and
// keeps its raw text. So it is with the offsets of Python data sources and of closed connectors.
// Claimed lines that break their own form have a Problem.
func Decode(line []byte, where decode.Where) Offset {
	o := Offset{Raw: string(line), Where: where}
	if bytes.Equal(line, []byte("-")) {
		o.None = true
		return o
	}
	v, err := decode.ParseJSON(line)
	var kinds []*Kind
	for _, k := range Kinds {
		if k.Claims(v) {
			kinds = append(kinds, k)
		}
	}
	odd, _ := err.(*decode.Error)
	switch {
	case odd != nil && odd.Flaw == decode.Trailing && v.Kind == decode.Object && len(kinds) > 0:
		o.Trailing = placed(odd, where, "source offset")
	case err != nil:
		o.Problem = placed(err, where, "source offset")
		return o
	case v.Kind == decode.Number && v.End-v.At < len(line):
		o.Problem = &decode.Error{Where: where, Flaw: decode.Value, What: "source offset", Err: fmt.Errorf("%.40q: Spark's sources do not read white space around a number", line)}
		return o
	}
	o.Line = v
	o.read(kinds)
	return o
}

// read takes the parts from the line as the first of these kinds sees them.
func (o *Offset) read(kinds []*Kind) {
	o.Kinds, o.Parts, o.Problem = kinds, nil, nil
	if len(kinds) == 0 {
		return
	}
	k := kinds[0]
	parts, err := k.Parts(o.Line)
	if err != nil {
		o.Problem = placed(err, o.Where, k.Name+" offset")
	}
	for i := range parts {
		parts[i].Unit = unit(kinds)
	}
	o.Parts = parts
}

// unit returns the unit on which all kinds agree.
func unit(kinds []*Kind) string {
	for _, k := range kinds[1:] {
		if k.Unit != kinds[0].Unit {
			return ""
		}
	}
	return kinds[0].Unit
}

// placed gives an error from within a line its place in the file.
func placed(err error, where decode.Where, what string) *decode.Error {
	e, ok := errors.AsType[*decode.Error](err)
	if !ok {
		return &decode.Error{Where: where, Flaw: decode.Malformed, What: what, Err: err}
	}
	return &decode.Error{Where: where.In(int(e.Offset)), Flaw: e.Flaw, What: what, Err: e.Err}
}
