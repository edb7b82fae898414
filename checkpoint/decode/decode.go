package decode

import (
	"fmt"
	"strings"
)

// Where is a place in a checkpoint. Errors and findings carry it, and the byte view opens at it.
type Where struct {
	File   string // name within the checkpoint, through containers: "offsets/42", "state/0/1/7.zip!000012.sst"
	Line   int    // from 1; 0 in a binary file, or where the whole file is meant
	Offset int64  // bytes from the start of File, or of what follows its last "!"
}

// String is the place as it stands in messages: "offsets/7:3@69", "state/0/0/1.delta@12", "metadata".
func (w Where) String() string {
	var b strings.Builder
	b.WriteString(w.File)
	if w.Line > 0 {
		fmt.Fprintf(&b, ":%d", w.Line)
	}
	if w.Offset > 0 {
		fmt.Fprintf(&b, "@%d", w.Offset)
	}
	return b.String()
}

// In is the place n bytes further on in the same line.
func (w Where) In(n int) Where {
	w.Offset += int64(n)
	return w
}

// Flaw says in which way bytes are not what their format says, so that a check or a restart rule can
// tell the ways apart without reading a message.
type Flaw string

// The ways in which a file can be wrong. Whether Spark minds is not said here: that is a judgement.
const (
	Empty          Flaw = "empty"           // zero bytes
	NoVersion      Flaw = "no version"      // line 1 is not "v" and a positive number
	VersionUnknown Flaw = "version unknown" // a version that no release known here writes
	ByteOrderMark  Flaw = "byte order mark" // EF BB BF before the version line
	LineEnds       Flaw = "line ends"       // a carriage return before a line feed
	ExtraLine      Flaw = "extra line"      // an empty line after the last one that belongs there
	NoMetadata     Flaw = "no metadata"     // the metadata line is empty or not there
	Encoding       Flaw = "encoding"        // bytes that are not UTF-8
	Blank          Flaw = "blank"           // nothing but white space where JSON belongs
	Cut            Flaw = "cut"             // JSON, or a binary record, that ends too early
	Malformed      Flaw = "malformed"       // anything else that does not parse
	Trailing       Flaw = "trailing"        // something after a JSON value that is whole
	NotObject      Flaw = "not an object"   // JSON that is no object where one belongs
	Value          Flaw = "value"           // parses, and holds a value that may not stand there
	Inexact        Flaw = "inexact"         // a number that is no 64-bit integer where one belongs
	NotUUID        Flaw = "not a UUID"      // a text that is no UUID where one belongs
	Checksum       Flaw = "checksum"        // a checksum beside the file disagrees with it
	OldLayout      Flaw = "old layout"      // readable, in the layout of an old release
	TooLarge       Flaw = "too large"       // longer than is read whole
)

// Error is bytes that are not what the format says they are.
// An error that is not an *Error is about reaching the bytes: the network, a permission, a cancel.
type Error struct {
	Where
	Flaw Flaw
	What string // the thing being decoded: "kafka offset", "row key"
	Err  error
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %v", e.What, e.Err)
	if at := e.Where.String(); at != "" { // bytes that are in no file have none
		text = at + ": " + text
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }
