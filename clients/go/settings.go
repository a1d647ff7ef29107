package arena

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	defaultConnectTimeout = 5 * time.Second
	defaultResumeTimeout  = 30 * time.Second
)

// Settings say how to reach an arena. Files are paths of PEM files; empty means none.
type Settings struct {
	// Address is host:port, [v6]:port or unix:/path.
	Address string
	// Token proves who the bot is. May be empty only where the arena runs without tokens.
	Token string
	// TLS is true for a connection by TLS; CAFile and CertFile imply it.
	TLS bool
	// CAFile is the authority to trust. None: those of the system.
	CAFile string
	// CertFile and KeyFile are a client certificate.
	CertFile, KeyFile string
	// ConnectTimeout is for how long to keep trying at the start.
	ConnectTimeout time.Duration
	// ResumeTimeout is for how long to keep trying after a lost connection.
	ResumeTimeout time.Duration
}

// NewSettings returns the usual settings for an address.
func NewSettings(address string) Settings {
	return Settings{
		Address:        address,
		ConnectTimeout: defaultConnectTimeout,
		ResumeTimeout:  defaultResumeTimeout,
	}
}

// String returns the address alone: a token is never printed.
func (s Settings) String() string { return fmt.Sprintf("<Settings %s>", s.Address) }

func (s Settings) usesTLS() bool { return s.TLS || s.CAFile != "" || s.CertFile != "" }

// GoString returns the same.
func (s Settings) GoString() string { return s.String() }

// setting is one that a program reads: --name, or ARENA_NAME from the environment. One without a
// value is a switch.
type setting struct{ name, value, meaning string }

var flags = []setting{
	{"address", "ADDRESS", "host:port or unix:/path"},
	{"token", "TOKEN", "the token from the organiser; prefer the variable: other users can see flags"},
	{"tls", "", "TLS with the system's certificate authorities"},
	{"ca-file", "FILE", "TLS with the certificate authority in this PEM file"},
	{"cert-file", "FILE", "a client certificate, with TLS"},
	{"key-file", "FILE", "its key"},
	{"connect-timeout", "SECONDS", "how long to keep trying at the start: 5"},
	{"resume-timeout", "SECONDS", "how long to keep trying after a lost connection: 30"},
}

var (
	yes         = []string{"1", "true", "yes", "on"}
	no          = []string{"", "0", "false", "no", "off"}
	hostAndPort = regexp.MustCompile(`^(?:\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]+):(\d{1,5})$`)
)

// ReadSettings reads the settings of a bot program from flags and from the environment, which is
// asked by variable. It fails with a UsageError if one is missing, unknown or makes no sense.
func ReadSettings(arguments []string, environment func(variable string) string) (Settings, error) {
	given, err := parse(arguments)
	if err != nil {
		return Settings{}, err
	}
	reader := reader{given: given, environment: environment}
	settings := Settings{
		Address:        reader.address(),
		Token:          reader.token(),
		TLS:            reader.tls(),
		CAFile:         reader.file("ca-file"),
		CertFile:       reader.file("cert-file"),
		KeyFile:        reader.file("key-file"),
		ConnectTimeout: reader.timeout("connect-timeout", defaultConnectTimeout),
		ResumeTimeout:  reader.timeout("resume-timeout", defaultResumeTimeout),
	}
	settings.TLS = settings.TLS || settings.CAFile != "" || settings.CertFile != ""
	if (settings.CertFile == "") != (settings.KeyFile == "") {
		reader.fail("a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE")
	}
	return settings, reader.err
}

// parse returns the values of flags by name. The package flag would take -name, too, and name the
// variables of nothing.
func parse(arguments []string) (map[string]string, error) {
	given := map[string]string{}
	for len(arguments) > 0 {
		argument := arguments[0]
		arguments = arguments[1:]
		name, value, hasValue := strings.Cut(strings.TrimPrefix(argument, "--"), "=")
		place := slices.IndexFunc(flags, func(flag setting) bool { return flag.name == name })
		if place < 0 || !strings.HasPrefix(argument, "--") {
			return nil, usageError("unknown argument %s: see --help", inert(argument))
		}
		switch isSwitch := flags[place].value == ""; {
		case isSwitch && hasValue:
			return nil, usageError("--%s takes no value", name)
		case isSwitch:
			value = "1"
		case !hasValue && len(arguments) == 0:
			return nil, usageError("--%s needs a value: see --help", name)
		case !hasValue:
			value, arguments = arguments[0], arguments[1:]
		}
		given[name] = value
	}
	return given, nil
}

// help returns what --help prints.
func help(program string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "usage: %s [flags]\n\n", program)
	fmt.Fprintln(&text, "A bot for arena. Each flag can also be set as an environment variable.")
	fmt.Fprintln(&text)
	for _, flag := range flags {
		fmt.Fprintf(&text, "  %-25s %s (%s)\n", "--"+flag.name+" "+flag.value, flag.meaning, variable(flag.name))
	}
	return text.String()
}

func variable(name string) string {
	return "ARENA_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// reader reads settings one by one and keeps the first error.
type reader struct {
	given       map[string]string
	environment func(string) string
	err         error
}

func (r *reader) fail(format string, values ...any) {
	if r.err == nil {
		r.err = usageError(format, values...)
	}
}

func (r *reader) value(name string) string {
	if value, isGiven := r.given[name]; isGiven {
		return value
	}
	return r.environment(variable(name))
}

func (r *reader) address() string {
	text := r.value("address")
	if text == "" {
		r.fail("no address: set ARENA_ADDRESS to unix:/path or host:port, or --address")
	} else if !isAddress(text) {
		r.fail("ARENA_ADDRESS must be unix:/path or host:port, not %q", text)
	}
	return text
}

func isAddress(text string) bool {
	if path, isUnix := strings.CutPrefix(text, "unix:"); isUnix {
		return path != ""
	}
	found := hostAndPort.FindStringSubmatch(text)
	if found == nil {
		return false
	}
	port, err := strconv.ParseUint(found[1], 10, 16)
	return err == nil && port > 0
}

func (r *reader) token() string {
	text := r.value("token")
	if !isPrintable(text) {
		r.fail("ARENA_TOKEN has characters that no token has: copy it again")
	}
	return text
}

func (r *reader) tls() bool {
	text := strings.ToLower(r.value("tls"))
	isYes := slices.Contains(yes, text)
	if !isYes && !slices.Contains(no, text) {
		r.fail("ARENA_TLS must be 1 or 0, not %q", text)
	}
	return isYes
}

func (r *reader) file(name string) string {
	path := r.value(name)
	if path != "" {
		if found, err := os.Stat(path); err != nil || found.IsDir() {
			r.fail("%s: there is no file %s", variable(name), inert(path))
		}
	}
	return path
}

func (r *reader) timeout(name string, fallback time.Duration) time.Duration {
	text := r.value(name)
	if text == "" {
		return fallback
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds >= 0) || math.IsInf(seconds, 0) {
		r.fail("%s must be a number of seconds, not %q", variable(name), text)
		return 0
	}
	const longest = float64(math.MaxInt64 / 2)
	return time.Duration(min(seconds*float64(time.Second), longest))
}
