package row

import (
	"encoding/binary"
	"iter"

	"tidemark/checkpoint/decode"
)

// A value that is a list is its elements, each
//
//	i32 LE size | block of that size
//
// with a comma (2C) between two of them where RocksDB's merge operator has version 1 (up to 4.1, and
// where the conf is absent), and nothing with version 2 (4.2 on). A size is positive, so that the comma
// can only be told from a size by knowing which of them it is.
//
// Written by MultiValuedStateEncoder, joined by StringAppendOperator.

// Elements yields the blocks of a list in order, with where each begins in data. After the first error
// nothing follows: there is no way to tell where the next element begins. Errors are as those of Decode.
func Elements(data []byte, comma bool) iter.Seq2[Element, error] {
	return func(yield func(Element, error) bool) {
		for at := 0; at < len(data); {
			if at > 0 && comma {
				if data[at] != ',' {
					yield(Element{At: at}, flaw(at, decode.Malformed, "0x%02x instead of the comma between two elements", data[at]))
					return
				}
				at++
			}
			rest := len(data) - at
			if rest < 4 {
				yield(Element{At: at}, flaw(at, decode.Cut, "%d bytes; the size of an element needs 4", rest))
				return
			}
			size := int(int32(binary.LittleEndian.Uint32(data[at:])))
			if size <= 0 || size > rest-4 {
				yield(Element{At: at}, flaw(at, decode.Value, "an element of %d bytes, and %d are left", size, rest-4))
				return
			}
			e := Element{At: at + 4, Block: data[at+4 : at+4+size]}
			if !yield(e, nil) {
				return
			}
			at += 4 + size
		}
	}
}

// Element is one element of a list.
type Element struct {
	At    int // where the block begins in the list
	Block []byte
}

// List decodes all elements of a list, and what came before the first that does not decode.
func (f Values) List(data []byte, comma bool) ([]Value, error) {
	var all []Value
	for e, err := range Elements(data, comma) {
		if err != nil {
			return all, err
		}
		v, err := f.Decode(e.Block)
		if err != nil {
			return all, shift(err, e.At)
		}
		all = append(all, v)
	}
	return all, nil
}
