package io.braid.core.net;

import io.braid.core.runtime.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** TLS from files in PEM, as certificate authorities give them out. */
public final class Tls {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final char[] NONE = {};

  private Tls() {}

  /**
   * For one end of a connection; both ends may show a certificate.
   *
   * @param certificates the own one first, then those that vouch for it
   * @param key in PKCS 8, not encrypted
   * @param peers authorities that vouch for the other end
   * @throws IllegalArgumentException when a file is not what it should be, or other users can read
   *     the key
   */
  public static SSLContext context(Path certificates, Path key, Optional<Path> peers) {
    try {
      KeyStore own = empty();
      Certificate[] chain = read(certificates).toArray(Certificate[]::new);
      PrivateKey secret = key(key);
      requirePair(chain[0].getPublicKey(), secret);
      own.setKeyEntry("own", secret, NONE, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NONE);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(authorities(peers));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "No TLS with certificate " + certificates + " and key " + key + ": " + e.getMessage(), e);
    }
  }

  /**
   * The same as {@link #context context}, but follows the files. Connections that are made after
   * the files were replaced use the new ones, while open connections go on.
   *
   * @throws IllegalArgumentException when a file is not what it should be now
   */
  public static SSLContext following(Path certificates, Path key, Path peers) {
    return LiveContext.of(
        new FollowedFiles(
            List.of(certificates, key, peers),
            () -> context(certificates, key, Optional.of(peers)),
            System::nanoTime));
  }

  /**
   * Continues over TLS on a connection that this process has made.
   *
   * @param plain open; closing the returned socket closes it too
   * @param host the certificate of the other end has to name it
   * @throws javax.net.ssl.SSLException when one end does not trust the other; with version 1.3 the
   *     distrust of the other end may show only at the first read
   */
  public static SSLSocket call(SSLContext context, Socket plain, String host, int port)
      throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    allowForwardSecret(parameters);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /**
   * Continues over TLS on an accepted connection. The client has to show a certificate that the
   * authorities vouch for.
   *
   * @param plain open, with a limit of time for reads; it is left open whatever happens
   * @throws javax.net.ssl.SSLException when the client has no such certificate, or does not speak
   *     TLS
   */
  public static SSLSocket admit(SSLContext context, Socket plain) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, false);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setNeedClientAuth(true);
    allowForwardSecret(parameters);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /**
   * Allows TLS 1.3, and of TLS 1.2 the suites with forward secrecy and authenticated encryption
   * only: recordings stay secret even if a key is stolen later.
   */
  public static void allowForwardSecret(SSLParameters parameters) {
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    parameters.setCipherSuites(
        Arrays.stream(parameters.getCipherSuites())
            .filter(
                each ->
                    each.startsWith("TLS_AES_")
                        || each.startsWith("TLS_CHACHA20_")
                        || each.startsWith("TLS_ECDHE_")
                            && (each.contains("_GCM_") || each.contains("_CHACHA20_")))
            .toArray(String[]::new));
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static KeyStore authorities(Optional<Path> file)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    for (Certificate each : file.isPresent() ? read(file.get()) : List.<Certificate>of()) {
      store.setCertificateEntry("peer-" + store.size(), each);
    }
    return store;
  }

  private static List<? extends Certificate> read(Path file)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (all.isEmpty()) {
        throw new IllegalArgumentException("File " + file + " holds no certificate.");
      }
      return List.copyOf(all);
    }
  }

  /**
   * Requires that certificate and key belong together. Otherwise no client could connect, for
   * example after only one of the files was replaced.
   */
  private static void requirePair(PublicKey certified, PrivateKey own)
      throws GeneralSecurityException {
    String algorithm =
        switch (own.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "Ed25519";
        };
    byte[] text = "one pair".getBytes(StandardCharsets.US_ASCII);
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(own);
    signer.update(text);
    byte[] signed = signer.sign();
    boolean pair;
    try {
      signer.initVerify(certified);
      signer.update(text);
      pair = signer.verify(signed);
    } catch (InvalidKeyException | SignatureException e) {
      pair = false;
    }
    if (!pair) {
      throw new GeneralSecurityException("the key is not that of the first certificate");
    }
  }

  private static PrivateKey key(Path file) throws GeneralSecurityException, IOException {
    OwnerOnly.requireSecret(file);
    Matcher found = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    if (!found.find()) {
      throw new IllegalArgumentException(
          "File " + file + " holds no private key in PKCS 8 ('BEGIN PRIVATE KEY').");
    }
    PKCS8EncodedKeySpec key =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
    GeneralSecurityException last = null;
    for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(key);
      } catch (GeneralSecurityException e) {
        last = e;
      }
    }
    throw new GeneralSecurityException("the key is of no kind that is known", last);
  }
}
