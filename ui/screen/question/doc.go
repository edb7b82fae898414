// Package question is the screen of what the answer to one of the three questions rests on.
package question
