// Package config is what can be set: on the command line, in the environment, in a file, in this order.
//
// It is functions from bytes to values: the command line reads the file and the environment, and says
// which flags were given. Settings has one line per setting, and flags, variables, the keys of the file,
// help, config --show and the table in the README are all drawn from it.
package config
