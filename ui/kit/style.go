package kit

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"tidemark/internal/phrase"
)

// A style as a person writes it in the file of settings: words in any order, separated by spaces.
//
//	critical = "bright-red bold"      a color of the terminal, by its name
//	warn     = "208"                  a color of 256, by its number
//	good     = "#56b4e9"              a color by red, green and blue
//	selected = "black on bright-cyan" a color for the ground
//	key      = "none underline"       no color
//
// Where a terminal has fewer colors, the nearest it has is shown.

// colors are the sixteen of the terminal, whose looks the user's own scheme decides.
var colors = map[string]color.Color{
	"black": lipgloss.Black, "red": lipgloss.Red, "green": lipgloss.Green, "yellow": lipgloss.Yellow,
	"blue": lipgloss.Blue, "magenta": lipgloss.Magenta, "cyan": lipgloss.Cyan, "white": lipgloss.White,
	"bright-black": lipgloss.BrightBlack, "bright-red": lipgloss.BrightRed, "bright-green": lipgloss.BrightGreen,
	"bright-yellow": lipgloss.BrightYellow,
	"bright-blue":   lipgloss.BrightBlue, "bright-magenta": lipgloss.BrightMagenta, "bright-cyan": lipgloss.BrightCyan,
	"bright-white": lipgloss.BrightWhite,
}

// attributes are the words that are no color.
var attributes = []string{"bold", "faint", "underline", "reverse", "none", "on"}

// parseStyle reads a style; without color its colors are checked and left out.
func parseStyle(text string, color bool) (lipgloss.Style, error) {
	s := lipgloss.NewStyle()
	ground := false
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return s, fmt.Errorf("it is empty; a color, bold, faint, underline, reverse or none is wanted")
	}
	for i, word := range words {
		switch word {
		case "none":
		case "bold":
			s = s.Bold(true)
		case "faint":
			s = s.Faint(true)
		case "underline":
			s = s.Underline(true)
		case "reverse":
			s = s.Reverse(true)
		case "on":
			if i == len(words)-1 {
				return s, fmt.Errorf("a color is missing after \"on\"")
			}
			ground = true
			continue
		default:
			c, err := parseColour(word)
			if err != nil {
				return s, err
			}
			switch {
			case !color:
			case ground:
				s = s.Background(c)
			default:
				s = s.Foreground(c)
			}
		}
		ground = false
	}
	return s, nil
}

func parseColour(word string) (color.Color, error) {
	if c, ok := colors[word]; ok {
		return c, nil
	}
	if hex, ok := strings.CutPrefix(word, "#"); ok && len(hex) == 6 {
		if _, err := strconv.ParseUint(hex, 16, 32); err == nil {
			return lipgloss.Color(word), nil
		}
	}
	if n, err := strconv.ParseUint(word, 10, 8); err == nil {
		return lipgloss.ANSIColor(n), nil // by its number in the palette, which 0 to 15 have too
	}
	names := slices.Clone(attributes)
	for name := range colors {
		names = append(names, name)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("%q is no color: a name such as bright-red, a number from 0 to 255, or #rrggbb%s", word, phrase.DidYouMean(word, names))
}
