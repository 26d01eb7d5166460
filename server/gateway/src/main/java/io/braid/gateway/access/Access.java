package io.braid.gateway.access;

import io.braid.ConfigurationException;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.serving.redis.RedisAccess;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Finds the identity of a caller. Without identities, callers on this machine may do everything.
 * Other callers may do nothing, unless that is explicitly allowed. Requests that a web page of
 * another origin makes a browser send are refused in any case.
 */
public final class Access {
  private static final String BEARER = "Bearer ";

  private final @Nullable Path file;
  private final boolean open;
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable Identities identities;

  /**
   * @param file of identities; null: none
   * @param open without identities, let everybody in
   */
  public Access(@Nullable Path file, boolean open) {
    this.file = file;
    this.open = open;
    this.identities = file == null ? null : Identities.read(file);
  }

  /**
   * Reads the identities again.
   *
   * @throws ConfigurationException when they cannot be used; nothing has changed then
   */
  public void reload() {
    if (file != null) {
      identities = Identities.read(file);
    }
  }

  /** Returns how many requests were refused because of the caller. */
  public long refused() {
    return refused.get();
  }

  /** Counts a refusal. */
  public void countRefused() {
    refused.incrementAndGet();
  }

  /**
   * Returns the identity of an HTTP caller.
   *
   * @throws HttpRefusal when the caller is not known
   */
  public Identity of(HttpCall call) {
    return of(caller(call));
  }

  /** Returns what a request says about its caller, over HTTP and over gRPC. */
  public static Caller caller(HttpCall call) {
    return new Caller(
        call.from().getAddress(),
        String.valueOf(call.header("Host")),
        token(call.header("Authorization")),
        call.tls().flatMap(Access::certificate));
  }

  /**
   * Returns the identity of a caller.
   *
   * @throws HttpRefusal when the caller is not known
   */
  public Identity of(Caller caller) {
    Identities known = identities;
    if (known == null) {
      return local(caller);
    }
    return caller
        .token()
        .flatMap(known::ofToken)
        .or(() -> caller.certificate().flatMap(known::ofCertificate))
        .orElseThrow(
            () ->
                new HttpRefusal(
                    401,
                    "unauthorized",
                    "Say who asks: 'Authorization: Bearer TOKEN', or a known certificate."));
  }

  private Identity local(Caller caller) {
    if (open) {
      return Identity.LOCAL;
    }
    String host = caller.host().replaceFirst(":[0-9]{1,5}$", "");
    boolean loopback =
        caller.from().isLoopbackAddress()
            && (host.equals("localhost")
                || host.matches("127(\\.[0-9]{1,3}){3}")
                || host.equals("[::1]"));
    if (!loopback) {
      throw new HttpRefusal(
          403, "forbidden", "Without identities only this machine is served, as 127.0.0.1.");
    }
    return Identity.LOCAL;
  }

  /**
   * Returns what Redis clients may read: a client shows its token as the password. The user is the
   * name of the identity, or the default one. Without identities everybody on this machine reads
   * all stores.
   */
  public RedisAccess redis() {
    return new RedisAccess() {
      @Override
      public boolean demandsPassword() {
        return identities != null;
      }

      @Override
      public Optional<Predicate<String>> admit(String user, String token) {
        if (identities == null) {
          return RedisAccess.open().admit(user, token);
        }
        return find(token)
            .filter(each -> user.equals(each.name()) || user.equals(DEFAULT_USER))
            .map(each -> new StoreReader(token));
      }
    };
  }

  /** A Redis client. An identity that was removed, or has lost a grant, reads nothing more. */
  private final class StoreReader implements Predicate<String> {
    private final String token;
    private volatile @Nullable Identities seen;
    private volatile Optional<Identity> identity = Optional.empty();

    private StoreReader(String token) {
      this.token = token;
    }

    @Override
    public boolean test(String store) {
      Identities now = identities;
      if (now != seen) {
        identity = find(token);
        seen = now;
      }
      return identity.filter(each -> each.may(Role.READ, "store/" + store)).isPresent();
    }
  }

  private Optional<Identity> find(String token) {
    Identities known = identities;
    return known == null ? Optional.of(Identity.LOCAL) : known.ofToken(token);
  }

  /** Returns the token that an authorization header holds. */
  public static Optional<String> token(@Nullable String header) {
    return header != null && header.startsWith(BEARER)
        ? Optional.of(header.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  /** Returns the name of the certificate that was shown. */
  public static Optional<String> certificate(SSLSession session) {
    try {
      return Optional.of(session.getPeerPrincipal().getName());
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }
}
