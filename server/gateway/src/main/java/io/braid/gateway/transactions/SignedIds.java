package io.braid.gateway.transactions;

import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.OwnerOnly;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.TransactionId;
import io.braid.http.HttpRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Transaction ids as clients get them, with a signature that binds the id to an identity. A
 * question about an outcome may roll back a transaction whose owner seems to be gone. So a caller
 * can ask only about its own transactions. The key is a file in the database, so that ids survive a
 * restart.
 *
 * <pre>  ID.SIGNATURE</pre>
 */
public final class SignedIds {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY = 32; // bytes
  private static final int SIGNATURE = 16; // bytes

  private final SecretKeySpec key;

  private SignedIds(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** With a key of this process; for tests. */
  public static SignedIds ofProcess() {
    return new SignedIds(random());
  }

  /** With the key in a file, which is created if there is none. */
  public static SignedIds of(Path file) throws IOException {
    if (!Files.exists(file) || Files.size(file) != KEY) {
      Path fresh = file.resolveSibling(file.getFileName() + ".made");
      Files.deleteIfExists(fresh);
      OwnerOnly.createFile(fresh);
      Files.write(fresh, random());
      DurableFiles.sync(fresh);
      DurableFiles.move(fresh, file);
    }
    return new SignedIds(DurableFiles.read(file, KEY));
  }

  private static byte[] random() {
    byte[] key = new byte[KEY];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /** Returns the answer to an identity when the outcome of its transaction is unknown. */
  public HttpRefusal refusal(String identity, CommitOutcomeUnknownException unknown) {
    return HttpRefusal.of(unknown).with("transaction", sign(identity, unknown.id()));
  }

  /** Signs the id of a transaction of an identity. */
  String sign(String identity, TransactionId id) {
    return id + "." + signature(identity, id.toString());
  }

  /**
   * Returns the id that was signed for an identity.
   *
   * @throws HttpRefusal 403 when it was not
   */
  public TransactionId verify(String identity, String text) {
    int dot = text.lastIndexOf('.');
    String id = dot < 0 ? text : text.substring(0, dot);
    TransactionId parsed = TransactionId.parse(id);
    if (dot < 0
        || !MessageDigest.isEqual(
            text.substring(dot + 1).getBytes(StandardCharsets.UTF_8),
            signature(identity, id).getBytes(StandardCharsets.UTF_8))) {
      throw new HttpRefusal(
          403,
          "forbidden",
          "This server has not given this transaction id to identity "
              + identity
              + ": send 'transaction' of the answer as it was.");
    }
    return parsed;
  }

  private String signature(String identity, String id) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] code = mac.doFinal((identity + "\n" + id).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(code, SIGNATURE));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no " + ALGORITHM + ".", e);
    }
  }
}
