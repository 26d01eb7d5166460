package io.braid.cli.server;

import io.braid.cli.command.UsageException;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A certificate authority for one cluster, in a folder: {@code ca.crt} and {@code ca.key}. It signs
 * certificates for nodes and clients. All keys are of the curve P-256, in PEM. The JDK's {@code
 * keytool} does the work.
 */
final class CertificateAuthority implements AutoCloseable {
  private static final String CA = "ca";
  private static final String LEAF = "leaf";

  private final Path folder;
  private final int days;
  private final Path scratch;
  private final Path password;
  private final char[] secret;

  private CertificateAuthority(Path folder, int days, Path scratch) throws IOException {
    this.folder = folder;
    this.days = days;
    this.scratch = scratch;
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String text = HexFormat.of().formatHex(random);
    this.secret = text.toCharArray();
    this.password = scratch.resolve("password");
    Files.writeString(password, text);
  }

  /**
   * Opens the authority of a folder, and makes one if there is none.
   *
   * @param days how long certificates are valid; the authority itself ten times as long
   */
  static CertificateAuthority open(Path folder, int days)
      throws IOException, GeneralSecurityException {
    Path scratch = Files.createTempDirectory("braid-ca"); // only this user can enter it
    CertificateAuthority authority = new CertificateAuthority(folder, days, scratch);
    try {
      authority.load();
      return authority;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      authority.close();
      throw e;
    }
  }

  private void load() throws IOException, GeneralSecurityException {
    Path certificate = folder.resolve("ca.crt");
    Path key = folder.resolve("ca.key");
    if (Files.exists(certificate) && Files.exists(key)) {
      OwnerOnly.requireSecret(key);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      try (InputStream in = Files.newInputStream(certificate)) {
        Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
        store.setKeyEntry(CA, readKey(key), secret, new Certificate[] {own});
      }
      try (OutputStream out = Files.newOutputStream(store(CA))) {
        store.store(out, secret);
      }
      return;
    }
    if (Files.exists(certificate)) {
      throw new UsageException(
          "There is "
              + certificate
              + ", but not its key: bring ca.key back, or name another folder.");
    }
    keytool(
        generate(CA, "CN=Braid certificate authority", 10 * days),
        List.of(
            "-ext", "bc:critical=ca:true,pathlen:0", "-ext", "ku:critical=keyCertSign,cRLSign"));
    KeyStore made = read(CA);
    // The certificate comes last: a call that was broken off has left no certificate.
    Files.deleteIfExists(key);
    writeKey(key, made, CA);
    DurableFiles.write(certificate, pem("CERTIFICATE", made.getCertificate(CA).getEncoded()));
  }

  /**
   * Makes {@code NAME.crt} and {@code NAME.key}.
   *
   * @param hosts names and numeric addresses that the certificate is valid for; none: of a client
   */
  void issue(String name, List<String> hosts) throws IOException, GeneralSecurityException {
    Files.deleteIfExists(store(LEAF));
    keytool(generate(LEAF, "CN=" + name, days), List.of());
    Path request = scratch.resolve("request");
    Path signed = scratch.resolve("signed");
    keytool(
        List.of("-certreq", "-alias", LEAF, "-keystore", store(LEAF).toString()),
        List.of("-file", request.toString()));
    List<String> extensions =
        new ArrayList<>(List.of("-ext", "eku=clientAuth" + (hosts.isEmpty() ? "" : ",serverAuth")));
    if (!hosts.isEmpty()) {
      extensions.addAll(
          List.of(
              "-ext",
              "san=" + String.join(",", hosts.stream().map(CertificateAuthority::san).toList())));
    }
    extensions.addAll(
        List.of("-infile", request.toString(), "-outfile", signed.toString(), "-rfc"));
    keytool(
        List.of(
            "-gencert", "-alias", CA, "-keystore", store(CA).toString(), "-validity", days + ""),
        extensions);
    Certificate certificate =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(signed)));
    Files.deleteIfExists(folder.resolve(name + ".crt"));
    Files.deleteIfExists(folder.resolve(name + ".key"));
    writeKey(folder.resolve(name + ".key"), read(LEAF), LEAF);
    DurableFiles.write(folder.resolve(name + ".crt"), pem("CERTIFICATE", certificate.getEncoded()));
  }

  private static String san(String host) {
    boolean numeric = host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || host.contains(":");
    return (numeric ? "ip:" : "dns:") + host;
  }

  private List<String> generate(String alias, String name, int valid) {
    return List.of(
        "-genkeypair",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-alias",
        alias,
        "-dname",
        name,
        "-validity",
        String.valueOf(valid),
        "-keystore",
        store(alias).toString());
  }

  private Path store(String alias) {
    return scratch.resolve(alias + ".p12");
  }

  private void keytool(List<String> first, List<String> then) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(first);
    command.addAll(then);
    command.addAll(List.of("-storetype", "PKCS12", "-storepass:file", password.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed: " + said.strip());
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while keytool worked.", e);
    }
  }

  private KeyStore read(String alias) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store(alias))) {
      store.load(in, secret);
    }
    return store;
  }

  private void writeKey(Path file, KeyStore from, String alias)
      throws IOException, GeneralSecurityException {
    OwnerOnly.createFile(file);
    byte[] key = Objects.requireNonNull(from.getKey(alias, secret)).getEncoded();
    Files.write(file, pem("PRIVATE KEY", key));
  }

  private static byte[] pem(String what, byte[] content) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    String text = "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static PrivateKey readKey(Path file) throws IOException, GeneralSecurityException {
    String body = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
    byte[] key = Base64.getMimeDecoder().decode(body);
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
  }

  @Override
  public void close() throws IOException {
    DurableFiles.deleteTree(scratch);
  }
}
