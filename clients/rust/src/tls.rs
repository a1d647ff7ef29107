//! TLS: whom the bot trusts, and its own certificate.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error as TlsError, RootCertStore,
    SignatureScheme,
};

use crate::errors::Error;
use crate::settings::Settings;

/// How to speak TLS with an arena.
pub(crate) struct Tls(TlsConnector);

impl Tls {
    /// # Errors
    /// [`Error::Usage`] if a file holds no certificate or key.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let authorities = match &settings.ca_file {
            Some(path) => certificates("ARENA_CA_FILE", path)?,
            None => rustls_native_certs::load_native_certs().certs,
        };
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::Usage(format!("TLS cannot be used: {error}")))?
            .dangerous() // what is added to the usual verifier is said at its type
            .with_custom_certificate_verifier(Arc::new(Verifier::new(authorities, provider)?));
        let mut config = match (&settings.cert_file, &settings.key_file) {
            (Some(cert), Some(key)) => {
                let chain = certificates("ARENA_CERT_FILE", cert)?;
                let key = PrivateKeyDer::from_pem_file(key)
                    .map_err(|error| unusable("ARENA_KEY_FILE", key, &error.to_string()))?;
                builder
                    .with_client_auth_cert(chain, key)
                    .map_err(|error| unusable("ARENA_CERT_FILE", cert, &error.to_string()))?
            }
            _ => builder.with_no_client_auth(),
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }

    /// Speaks TLS over a stream with the host of that name.
    pub async fn wrap<S>(&self, host: &str, stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        self.0.connect(name, stream).await
    }
}

/// The usual verifier, but a certificate that is itself trusted is good although it could vouch for
/// others. Organisers often make just one, which is arena and authority at once.
#[derive(Debug)]
struct Verifier {
    usual: Arc<WebPkiServerVerifier>,
    trusted: Vec<CertificateDer<'static>>,
}

impl Verifier {
    fn new(
        trusted: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
    ) -> Result<Self, Error> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(trusted.iter().cloned());
        let usual = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map_err(|error| {
                Error::Usage(format!("TLS: no authority to trust was found: {error}"))
            })?;
        Ok(Self { usual, trusted })
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let verified = self.usual.verify_server_cert(end_entity, intermediates, name, ocsp, now);
        match verified {
            // Its dates have been found good before it is refused as one that may vouch for others.
            Err(TlsError::InvalidCertificate(CertificateError::Other(_)))
                if self.trusted.iter().any(|known| known == end_entity) =>
            {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.usual.verify_tls12_signature(message, cert, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.usual.verify_tls13_signature(message, cert, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

fn certificates(name: &str, path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let read = || CertificateDer::pem_file_iter(path)?.collect::<Result<Vec<_>, _>>();
    match read() {
        Ok(found) if found.is_empty() => Err(unusable(name, path, "there is none in it")),
        Ok(found) => Ok(found),
        Err(error) => Err(unusable(name, path, &error.to_string())),
    }
}

fn unusable(name: &str, path: &Path, why: &str) -> Error {
    Error::Usage(format!("{name}: cannot read a certificate or key in {}: {why}", path.display()))
}
