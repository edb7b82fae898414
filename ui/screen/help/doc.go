// Package help is the screen of the keys and commands there are.
package help
