// Package arena is for writing bots for the arena in Go.
//
// A program describes its bot and calls Run:
//
//	arena.Run(byzanz.Bot{
//		Name: "mine",
//		New:  func(match *byzanz.Match) byzanz.Player { return &player{match} },
//	})
//
// The packages byzanz and schwarzmarkt show their games in types of their own. Bot, of this package,
// plays any game: it knows how many legal moves there are, and asks which game it is.
package arena

import (
	"slices"
	"unicode/utf8"
)

const (
	defaultMaxMatches = 16
	maxName           = 64 // characters, by the protocol
)

// Bot is who plays, for any game.
type Bot struct {
	// Name is its name, up to 64 characters. Where there are tokens the token's name counts.
	Name string
	// Version is its version, up to 64 characters, shown in replays and leaderboards.
	Version string
	// Games are the games it plays, such as "byzanz". None means every game.
	Games []string
	// MaxMatches is how many matches it takes at once. 0 means 16.
	MaxMatches int
	// Workers is for how many matches at once players are called. 0 means 1: one call at a time, so
	// that players may share what they like. Each player is called by one at a time in any case.
	Workers int
	// New makes the player of a match that starts. What the player keeps belongs to that match.
	New func(match *Match) Player
}

// Player plays one match. It may have a method Ended, see Ender.
type Player interface {
	// Decide returns one of the legal moves of a decision, or the Index of one.
	//
	// A panic is the way to say that the bot has failed: no move is made up then, the stack is
	// shown, the arena is told, and the program ends.
	Decide(decision *Decision) Choice
}

// Ender is what a Player is if it wants to know how its match ended.
type Ender interface {
	// Ended is called once, when the match has ended; the player is dropped afterwards.
	Ended(outcome *Outcome)
}

// Entrant is what Run and Play take: a Bot, a byzanz.Bot or a schwarzmarkt.Bot.
type Entrant interface {
	// AnyGame returns it as a bot of this package.
	AnyGame() Bot
}

// AnyGame returns the bot itself.
func (b Bot) AnyGame() Bot { return b }

// checked returns the bot with its defaults, or a UsageError if it has a field that makes no sense.
func (b Bot) checked() (Bot, error) {
	if b.New == nil {
		return b, usageError("the bot has no New: it must make the player of a match")
	}
	if b.Name == "" {
		return b, usageError("the bot has no Name")
	}
	for _, field := range []struct{ name, text string }{
		{"Name", b.Name}, {"Version", b.Version},
	} {
		if utf8.RuneCountInString(field.text) > maxName || !isPrintable(field.text) {
			return b, usageError("%s of the bot must be a text of up to %d printable characters: %q",
				field.name, maxName, field.text)
		}
	}
	if slices.Contains(b.Games, "") {
		return b, usageError("Games of the b must be names, such as \"byzanz\": %q", b.Games)
	}
	for _, field := range []struct {
		name     string
		number   *int
		fallback int
	}{
		{"MaxMatches", &b.MaxMatches, defaultMaxMatches}, {"Workers", &b.Workers, 1},
	} {
		if *field.number < 0 {
			return b, usageError("%s of the bot must be 1 or more: %d", field.name, *field.number)
		}
		if *field.number == 0 {
			*field.number = field.fallback
		}
	}
	return b, nil
}
