// Package file is the screen of one file: decoded, as text and byte by byte.
package file
