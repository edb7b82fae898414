// Package page turns what is known into pages, once: a verdict, a finding, the ways back, what a source still has, what
// an output holds, a trace that was explained, two batches that were compared. A page is sections of blocks, in words
// and without styles; Layout draws it for paper and for the screen alike.
//
// A builder says everything there is to say. Whoever has less room takes sections by their Key and blocks by their
// type; none words anything again. All text of a page is harmless: see phrase.Printable.
package page
