package arena

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/grpc/codes"

	v1 "arena-bots/v1"
)

// refusals say why the arena does not want a session, and what to do, by status.
var refusals = map[codes.Code]struct{ what, advice string }{
	codes.Unauthenticated: {
		"the arena rejected the token",
		"set ARENA_TOKEN to the token from the organiser",
	},
	codes.PermissionDenied: {
		"the arena rejected the token",
		"set ARENA_TOKEN to the token from the organiser",
	},
	codes.AlreadyExists: {
		"the token is in use",
		"stop the other program that uses it, or wait until the arena has closed its session",
	},
	codes.FailedPrecondition: {
		"the arena does not accept this bot",
		"this SDK speaks protocol {protocol}: install a matching version, or check the bot's games",
	},
	codes.ResourceExhausted: {
		"a limit of the arena was exceeded",
		"try again later, or take fewer matches at once (MaxMatches)",
	},
	codes.Unimplemented: {
		"the server at {address} is not an arena",
		"check ARENA_ADDRESS",
	},
}

const seeDocumentation = "see arena's documentation"

// advice says what to do about an answer that was rejected without words.
var advice = map[v1.Rejected_Reason]string{
	v1.Rejected_REASON_LATE:             "decide faster: see MoveTime and Bank of the decision",
	v1.Rejected_REASON_REPEATED:         "nothing to do: the first answer counts",
	v1.Rejected_REASON_UNKNOWN_DECISION: "nothing to do, unless it happens often",
	v1.Rejected_REASON_UNKNOWN_MATCH:    "nothing to do, unless it happens often",
	v1.Rejected_REASON_MATCH_OVER:       "nothing to do: the match ended while the bot was thinking",
	v1.Rejected_REASON_ILLEGAL_MOVE:     "check that arena and the SDK have the same version",
	v1.Rejected_REASON_INCOMPLETE:       "check that arena and the SDK have the same version",
	v1.Rejected_REASON_NOTE_TOO_LONG:    "write shorter notes",
}

// refusalText returns why the arena refused a session, and what to do.
func refusalText(code codes.Code, details, address string) string {
	found, isKnown := refusals[code]
	if !isKnown {
		found.what, found.advice = "the arena ended the session", seeDocumentation
	}
	if details == "" {
		details = code.String()
	}
	fill := strings.NewReplacer("{address}", address, "{protocol}", fmt.Sprint(protocol))
	return fmt.Sprintf("%s: %s (%s)", fill.Replace(found.what), inert(details), fill.Replace(found.advice))
}

const isRunning = "is it running, and is ARENA_ADDRESS right?"

// handshakeHints say what to do about a failed TLS handshake, by what the library says of it. It has
// no codes for these, only texts; a conformance scenario notices when they change.
var handshakeHints = []struct{ mark, hint string }{
	{"first record does not look like a TLS handshake", "it does not use TLS: unset ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE and ARENA_KEY_FILE"},
	{"certificate signed by unknown authority", "its certificate is not signed by a trusted authority: set ARENA_CA_FILE to the organiser's file"},
	{"cannot validate certificate for", wrongName},
	{"certificate is valid for", wrongName},
	{"certificate is not valid for", wrongName},
}

const wrongName = "its certificate is for another host name: set ARENA_ADDRESS to a name in the certificate"

// silenceHint returns what to check when no arena answers.
func silenceHint(details string, settings Settings) string {
	if settings.usesTLS() {
		for _, found := range handshakeHints {
			if strings.Contains(details, found.mark) {
				return found.hint
			}
		}
	}
	switch {
	case strings.Contains(details, "refused") || strings.HasPrefix(settings.Address, "unix:"):
		return isRunning
	case !settings.usesTLS():
		return isRunning + " If it uses TLS, set ARENA_CA_FILE or ARENA_TLS=1"
	case settings.CertFile == "":
		return isRunning + " If it requires a client certificate, set ARENA_CERT_FILE and ARENA_KEY_FILE"
	}
	return isRunning
}

// rejectionText returns the warning about an answer that was not used.
func rejectionText(rejected *v1.Rejected) string {
	reason := rejected.GetReason()
	name := fmt.Sprint(int32(reason))
	if _, isKnown := v1.Rejected_Reason_name[int32(reason)]; isKnown {
		name = enumText(v1.Rejected_Reason_name, int32(reason), "REASON_", " ")
	}
	told := inert(rejected.GetMessage())
	if told == "" {
		told = advice[reason]
	}
	if told == "" {
		told = seeDocumentation
	}
	return fmt.Sprintf("warning: the arena rejected the answer to decision %d of match %s (%s): %s",
		rejected.GetDecisionId(), inert(rejected.GetMatchId()), name, told)
}

// inert returns a text from elsewhere so that it can do nothing to a terminal.
func inert(text string) string {
	return strings.Map(func(sign rune) rune {
		if unicode.IsPrint(sign) {
			return sign
		}
		return unicode.ReplacementChar
	}, text)
}

func isPrintable(text string) bool { return utf8.ValidString(text) && inert(text) == text }

// cut returns as much of a text as fits into a number of bytes, whole characters only.
func cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
}

// firstLine returns the first line of a text, up to a number of characters.
func firstLine(text string, length int) string {
	line, _, _ := strings.Cut(text, "\n")
	signs := []rune(inert(line))
	return string(signs[:min(len(signs), length)])
}
