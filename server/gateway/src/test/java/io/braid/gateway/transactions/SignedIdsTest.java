package io.braid.gateway.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.transaction.TransactionId;
import io.braid.http.HttpRefusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 81: a question about an outcome needs an id that the server gave to the caller. */
class SignedIdsTest {
  @TempDir Path dir;

  private static final TransactionId ID =
      TransactionId.parse("895512345600-AQRhY2N0A2JvYgNiYWwDdXNk");

  @Test
  void anIdIsGoodForItsIdentityAloneAndAfterARestart() throws Exception {
    Path file = dir.resolve("key");
    String signed = SignedIds.of(file).sign("loader", ID);
    SignedIds later = SignedIds.of(file);
    assertThat(later.verify("loader", signed)).isEqualTo(ID);
    refused(later, "reader", signed);
    refused(later, "loader", ID.toString());
    refused(later, "loader", signed.substring(0, signed.length() - 1));
    refused(later, "loader", "1" + signed);
    refused(SignedIds.ofProcess(), "loader", signed);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aDamagedKeyIsReplaced() throws Exception {
    Path file = Files.writeString(dir.resolve("key"), "short");
    SignedIds ids = SignedIds.of(file);
    assertThat(ids.verify("a", ids.sign("a", ID))).isEqualTo(ID);
    assertThat(Files.size(file)).isEqualTo(32);
  }

  private static void refused(SignedIds ids, String identity, String text) {
    assertThatThrownBy(() -> ids.verify(identity, text))
        .isInstanceOfSatisfying(HttpRefusal.class, e -> assertThat(e.status()).isEqualTo(403));
  }
}
