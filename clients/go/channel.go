package arena

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	v1 "arena-bots/v1"
)

const welcomeTimeout = 10 * time.Second // for the welcome after the hello

var errNoWelcome = status.Error(codes.Unavailable, "no welcome in time")

// dialer opens channels to one arena.
type dialer struct {
	target  string
	options []grpc.DialOption
}

// newDialer fails with a UsageError if a certificate cannot be read.
func newDialer(settings Settings) (*dialer, error) {
	secrecy, err := transportCredentials(settings)
	if err != nil {
		return nil, err
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(secrecy),
		// Without these a dead host is noticed after many minutes, a stopped one never.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 10 * time.Second, Timeout: 5 * time.Second, PermitWithoutStream: true,
		}),
		// The pauses between attempts are the session's business.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.DefaultConfig, MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithDisableRetry(),
		grpc.WithDisableServiceConfig(),
		// A batch has no upper size; the arena is trusted not to send nonsense.
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
	}
	if isLocal(settings.Address) {
		options = append(options, grpc.WithNoProxy()) // a proxy would look on its own machine
	}
	target := settings.Address
	if !strings.HasPrefix(target, "unix:") {
		target = "passthrough:///" + target // names are looked up when dialling: errors tell more
	}
	return &dialer{target, options}, nil
}

func isLocal(address string) bool {
	for _, prefix := range []string{"unix:", "localhost:", "127.", "[::1]:"} {
		if strings.HasPrefix(address, prefix) {
			return true
		}
	}
	return false
}

func transportCredentials(settings Settings) (credentials.TransportCredentials, error) {
	if !settings.usesTLS() {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if settings.CAFile != "" {
		content, err := os.ReadFile(settings.CAFile)
		if err != nil {
			return nil, usageError("ARENA_CA_FILE: cannot read the certificate: %v", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(content) {
			return nil, usageError("ARENA_CA_FILE: no certificate in PEM form in %s", settings.CAFile)
		}
	}
	if settings.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(settings.CertFile, settings.KeyFile)
		if err != nil {
			return nil, usageError("ARENA_CERT_FILE, ARENA_KEY_FILE: cannot read the certificate: %v", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return credentials.NewTLS(config), nil
}

// event is what a connection tells: a message, or that it is over.
type event struct {
	from    *connection
	message *v1.PlayResponse
	err     error // why it is over, as a status; nil if the arena ended the stream with OK
}

// connection is one stream of a session, over a channel of its own. Everything that it reads is told
// by events, the end last; it writes what is put into outgoing.
type connection struct {
	outgoing chan *v1.PlayRequest // nil closes the own side
	ctx      context.Context
	cancel   context.CancelCauseFunc
	tell     func(event)
}

// dial opens a connection and says hello. Nothing is waited for: what goes wrong is told as its end.
func (d *dialer) dial(hello *v1.PlayRequest, tell func(event)) *connection {
	ctx, cancel := context.WithCancelCause(context.Background())
	link := &connection{make(chan *v1.PlayRequest), ctx, cancel, tell}
	go func() {
		channel, err := grpc.NewClient(d.target, d.options...)
		if err == nil {
			err = link.read(channel, hello)
			channel.Close()
		}
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		cancel(nil)
		tell(event{from: link, err: err})
	}()
	return link
}

// close ends the connection; its last event may still come.
func (c *connection) close() { c.cancel(nil) }

// read opens the stream and tells its messages until it ends; it returns with which status.
func (c *connection) read(channel *grpc.ClientConn, hello *v1.PlayRequest) error {
	impatience := time.AfterFunc(welcomeTimeout, func() { c.cancel(errNoWelcome) })
	defer impatience.Stop()
	stream, err := v1.NewPlayServiceClient(channel).Play(c.ctx)
	if err != nil {
		return err
	}
	if stream.Send(hello) == nil { // if it fails, reading will tell why
		go c.write(stream)
	}
	for {
		message, err := stream.Recv()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if message.GetWelcome() != nil {
			impatience.Stop()
		}
		c.tell(event{from: c, message: message})
	}
}

// write sends until the stream is over; reading tells why it is.
func (c *connection) write(stream grpc.BidiStreamingClient[v1.PlayRequest, v1.PlayResponse]) {
	for {
		var err error
		select {
		case request := <-c.outgoing:
			if request == nil {
				err = stream.CloseSend()
			} else {
				err = stream.Send(request)
			}
		case <-c.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}
