package io.braid.serving.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.function.Predicate;

/** Decides which stores a Redis client may read. */
public interface RedisAccess {
  /** The user of a client that names none, as in Redis. */
  String DEFAULT_USER = "default";

  /** Whether a client has to {@code AUTH} before it reads. */
  boolean demandsPassword();

  /**
   * Admits a client.
   *
   * @return whether it may read a store, by name; asked for each read. Empty: user or password is
   *     wrong
   */
  Optional<Predicate<String>> admit(String user, String password);

  /** Everybody reads everything; any password is right. */
  static RedisAccess open() {
    return of("");
  }

  /**
   * Clients with a token read everything.
   *
   * @param token empty: everybody does
   */
  static RedisAccess of(String token) {
    return new RedisAccess() {
      @Override
      public boolean demandsPassword() {
        return !token.isEmpty();
      }

      @Override
      public Optional<Predicate<String>> admit(String user, String password) {
        boolean right =
            token.isEmpty()
                || MessageDigest.isEqual(
                    password.getBytes(StandardCharsets.UTF_8),
                    token.getBytes(StandardCharsets.UTF_8));
        return user.equals(DEFAULT_USER) && right ? Optional.of(store -> true) : Optional.empty();
      }
    };
  }
}
