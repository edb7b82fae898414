// Package rows is the screen of the rows of a state store, as a batch left them.
package rows
