package io.braid.testkit;

import io.braid.core.runtime.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Keys with certificates that vouch for themselves, for tests of TLS over 127.0.0.1.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Certificates {
  /** The name of the key in its store. */
  public static final String ALIAS = "it";

  private static final String PASSWORD = "changeit";

  private Certificates() {}

  /** The password of each store and key. */
  public static char[] password() {
    return PASSWORD.toCharArray();
  }

  /**
   * Makes a key in {@code NAME.p12}, and as PEM in {@code NAME.crt} and {@code NAME.key}.
   *
   * @return the store with the key and its certificate
   */
  public static KeyStore make(Path folder, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve(name + ".p12");
    Process made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                ALIAS,
                "-validity",
                "2",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    byte[] said = made.getInputStream().readAllBytes();
    if (made.waitFor() != 0) {
      throw new IOException("keytool: " + new String(said, StandardCharsets.UTF_8));
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password());
    }
    pem(folder.resolve(name + ".crt"), "CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
    pem(folder.resolve(name + ".key"), "PRIVATE KEY", store.getKey(ALIAS, password()).getEncoded());
    return store;
  }

  private static void pem(Path file, String what, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder().encodeToString(bytes);
    Files.deleteIfExists(file);
    OwnerOnly.createFile(file);
    Files.writeString(
        file,
        String.format(Locale.ROOT, "-----BEGIN %s-----%n%s%n-----END %s-----%n", what, body, what));
  }
}
