package arena

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/credentials"
)

// certify makes a certificate that vouches for itself; it returns the files of it and of its key.
func certify(t *testing.T, name string) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write := func(kind string, content []byte) string {
		path := filepath.Join(t.TempDir(), name+".pem")
		block := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
		if err := os.WriteFile(path, block, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("CERTIFICATE", certificate), write("PRIVATE KEY", secret)
}

// playOverTLS plays an empty session with an arena that has a certificate, over TCP.
func playOverTLS(t *testing.T, config *tls.Config, settings Settings) error {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fake := &fakeArena{t: t, address: listener.Addr().String(), scripts: []script{func(link *fakeLink) error {
		link.welcome()
		return link.finish()
	}}}
	fake.serve(listener, credentials.NewTLS(config))
	defer fake.cut()
	settings.Address = fake.address
	return playWith(t, first, fake, settings).err
}

func serverConfig(t *testing.T, certFile, keyFile string) *tls.Config {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}
}

func TestTheAuthorityOfTheArenaIsTrusted(t *testing.T) {
	certFile, keyFile := certify(t, "arena")
	settings := NewSettings("")
	settings.CAFile = certFile
	if err := playOverTLS(t, serverConfig(t, certFile, keyFile), settings); err != nil {
		t.Error(err)
	}
}

func TestAnotherAuthorityIsNotTrusted(t *testing.T) {
	certFile, keyFile := certify(t, "arena")
	settings := NewSettings("")
	settings.CAFile, _ = certify(t, "other")
	settings.ConnectTimeout = 200 * time.Millisecond
	var unreachable *Unreachable
	if err := playOverTLS(t, serverConfig(t, certFile, keyFile), settings); !errors.As(err, &unreachable) {
		t.Errorf("ended with %v", err)
	}
}

func TestAClientCertificateIsShown(t *testing.T) {
	certFile, keyFile := certify(t, "arena")
	settings := NewSettings("")
	settings.CAFile = certFile
	settings.ConnectTimeout = 200 * time.Millisecond
	ownCert, ownKey := certify(t, "bot")
	content, err := os.ReadFile(ownCert)
	if err != nil {
		t.Fatal(err)
	}
	config := serverConfig(t, certFile, keyFile)
	config.ClientAuth = tls.RequireAndVerifyClientCert
	config.ClientCAs = x509.NewCertPool()
	config.ClientCAs.AppendCertsFromPEM(content)

	var unreachable *Unreachable
	if err := playOverTLS(t, config, settings); !errors.As(err, &unreachable) {
		t.Errorf("without a certificate: ended with %v", err)
	}
	settings.CertFile, settings.KeyFile = ownCert, ownKey
	if err := playOverTLS(t, config, settings); err != nil {
		t.Errorf("with a certificate: %v", err)
	}
}

func TestACertificateThatIsNoneIsBadUsage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, settings := range map[string]Settings{
		"ARENA_CA_FILE":   {Address: "localhost:1", CAFile: path},
		"ARENA_CERT_FILE": {Address: "localhost:1", CertFile: path, KeyFile: path},
	} {
		_, err := newDialer(settings)
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(usage.Text, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLocalAddressesNeedNoProxy(t *testing.T) {
	for address, want := range map[string]bool{
		"unix:/tmp/arena": true, "localhost:5": true, "127.0.0.1:5": true, "[::1]:5": true,
		"arena.example:5": false, "10.0.0.1:5": false,
	} {
		if isLocal(address) != want {
			t.Errorf("isLocal(%q) is %v", address, !want)
		}
	}
}
