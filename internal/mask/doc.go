// Package mask takes what gives access out of text: it knows the forms of URLs, headers and keys.
package mask
