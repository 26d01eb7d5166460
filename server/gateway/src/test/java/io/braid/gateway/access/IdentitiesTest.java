package io.braid.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 57: whose proof it is. */
class IdentitiesTest {
  @TempDir Path dir;

  private Identities read(String... lines) throws IOException {
    return Identities.read(Files.write(dir.resolve("identities"), List.of(lines)));
  }

  private static boolean knows(Identities identities, String certificate) {
    return identities.ofCertificate(new X500Principal(certificate).getName()).isPresent();
  }

  @Test
  void oneProofIsOfOneIdentity() {
    String token = " sha256:" + Identities.hash("token") + " read:*";
    assertThatThrownBy(() -> read("a" + token, "b" + token))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("a and b prove themselves by the same");
    assertThatThrownBy(
            () -> read("a certificate:CN=console read:*", "b certificate:CN=console admin:*"))
        .hasMessageContaining("a and b prove themselves by the same");
  }

  @Test
  void aTokenIsKnownByItsHashAlone() throws IOException {
    Identities identities = read("a sha256:" + Identities.hash("token") + " read:*");
    assertThat(identities.ofToken("token")).isPresent();
    assertThat(identities.ofToken(Identities.hash("token"))).isEmpty();
    assertThat(identities.ofToken("Token")).isEmpty();
    assertThat(identities.ofToken("")).isEmpty();
  }

  /** What is written into a name with commas and signs of equality is no part of another name. */
  @Test
  void aCertificateIsKnownByItsOwnName() throws IOException {
    Identities identities =
        read("console certificate:CN=console admin:*", "whole certificate:CN=w,O=braid read:*");
    assertThat(knows(identities, "CN=console")).isTrue();
    assertThat(knows(identities, "CN=console,O=braid,C=DE")).isTrue();
    assertThat(knows(identities, "CN=w,O=braid")).isTrue();
    assertThat(knows(identities, "CN=w,O=other")).isFalse();
    assertThat(knows(identities, "CN=consoles")).isFalse();
    assertThat(knows(identities, "CN=Console")).isFalse();
    assertThat(knows(identities, "O=console")).isFalse();
    assertThat(knows(identities, "CN=\"eve,CN=console\"")).isFalse();
    assertThat(knows(identities, "CN=\"console,O=x\"")).isFalse();
    assertThat(knows(identities, "CN=\"x, CN=console\",O=\"y,CN=console\"")).isFalse();
    assertThat(knows(identities, "CN=\"w,O=braid\"")).isFalse();
    assertThat(knows(identities, "OU=x,CN=console")).as("of a part above").isFalse();
    assertThat(knows(identities, "CN=console,CN=eve")).as("of two").isFalse();
    assertThat(knows(identities, "CN=eve,CN=console")).as("of two").isFalse();
    assertThat(knows(identities, "CN=console+UID=eve,O=braid")).as("with another").isFalse();
  }

  @Test
  void aFileThatOthersCanChangeIsRefused() throws IOException {
    Path file = dir.resolve("loose");
    Files.writeString(file, "");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThatThrownBy(() -> Identities.read(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("chmod go-w");
  }
}
