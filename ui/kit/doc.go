// Package kit is what every screen of the explorer uses: the session that all look at, the interface of a screen and
// its row in the list, keys, the table with a filter, the text to read, the theme, plots, the loader of batches, and
// the words of a command line. It knows no screen and not the app.
package kit
