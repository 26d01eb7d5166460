package io.braid.groups.node;

import io.braid.core.runtime.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apiguardian.api.API;

/**
 * A secret that only group nodes and their clients know. It never travels.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Secret {
  /** The length of a code, in bytes. */
  static final int CODE = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int LEAST = 32;

  private final SecretKeySpec key;

  private Secret(byte[] bytes) {
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /**
   * Reads a file; white space around the secret does not count.
   *
   * @throws IllegalArgumentException when it cannot be read, or holds less than 32 characters
   */
  public static Secret read(Path file) {
    String text;
    try {
      OwnerOnly.requireSecret(file);
      text = Files.readString(file).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException("The secret in " + file + " cannot be read: " + e, e);
    }
    if (text.length() < LEAST) {
      throw new IllegalArgumentException(
          "The secret in "
              + file
              + " has less than "
              + LEAST
              + " characters: make one with 'openssl rand -hex 32'.");
    }
    return of(text);
  }

  static Secret of(String text) {
    return new Secret(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a code of these parts. Only an owner of the secret can make it. */
  byte[] code(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no " + ALGORITHM + ".", e);
    }
  }

  /** Whether a code is the one of these; takes as long for a wrong one. */
  boolean matches(byte[] code, byte[]... parts) {
    return MessageDigest.isEqual(code, code(parts));
  }
}
