// Package phrase is words, lists and numbers as people read them: how a count, a size, an age or a range is written,
// which sign and which role stand for an answer, and how wide a text is on a terminal. Whatever shows something to a
// person says it through here, so that one meaning has one form.
//
// It judges nothing and reads nothing. Widths are terminal cells.
package phrase
