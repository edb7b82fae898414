// Package cli is the command line: it turns flags into a checkpoint, and a checkpoint into a report, an exit status or
// the explorer.
//
// A command is a file that makes it and a line of the list commands in cli.go: help, the manual page, completion and
// the spelling help follow from that. A flag that all commands have is a line of config.Settings, and one of
// flags.places, which says where its value goes. run, in status.go, is what every command does before and after its body.
package cli
