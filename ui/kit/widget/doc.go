// Package widget is what the explorer's screens are made of: styles, a typed line, a table and a tree for long lists,
// bars, a byte view. It knows nothing of Spark, does no I/O and keeps no clock.
//
// Widths are terminal cells. Text that comes in is printable: no control characters.
package widget
