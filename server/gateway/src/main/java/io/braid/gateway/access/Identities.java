package io.braid.gateway.access;

import io.braid.ConfigurationException;
import io.braid.core.runtime.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The identities of a file. Each line holds a name, the proof of the identity, its grants, and its
 * own limits, if any. The file holds only the SHA-256 of a token, so that reading the file gives no
 * access.
 *
 * <pre>
 * loader   sha256:9f86d0...        write:accounts,read:*  requests=100/s,transactions=5,memory=8MiB
 * console  certificate:CN=console  admin:*
 * </pre>
 */
public final class Identities {
  private static final Pattern LINE =
      Pattern.compile(
          "([A-Za-z0-9_.@-]{1,64})\\s+(?:sha256:([0-9a-f]{64})|certificate:(\\S+))\\s+(\\S+)(?:\\s+(\\S+))?");

  private final Map<String, Identity> byToken = new HashMap<>();
  private final Map<String, Identity> byCertificate = new HashMap<>();

  private Identities() {}

  /**
   * Reads a file.
   *
   * @throws ConfigurationException when the file cannot be read or a line is not valid; the text
   *     names the line, and never its content
   */
  public static Identities read(Path file) {
    Identities identities = new Identities();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      if (!line.isBlank() && !line.strip().startsWith("#")) {
        try {
          identities.add(line.strip());
        } catch (IllegalArgumentException e) {
          throw new ConfigurationException(file + ", line " + number + ": " + e.getMessage());
        }
      }
    }
    return identities;
  }

  private static List<String> lines(Path file) {
    try {
      OwnerOnly.requireUnchangeable(file);
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new ConfigurationException("The identities in " + file + " cannot be read: " + e);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()));
    }
  }

  private void add(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "write a name, sha256:HASH or certificate:NAME, grants with commas between them, and"
              + " limits if it has its own.");
    }
    Identity identity =
        new Identity(
            parts.group(1),
            Arrays.stream(parts.group(4).split(",")).map(Grant::parse).toList(),
            parts.group(5) == null ? Allowance.USUAL : Allowance.parse(parts.group(5)));
    Identity other =
        parts.group(2) != null
            ? byToken.put(parts.group(2), identity)
            : byCertificate.put(parts.group(3), identity);
    if (other != null) {
      throw new IllegalArgumentException(
          other.name() + " and " + identity.name() + " prove themselves by the same.");
    }
  }

  /**
   * Returns the identity of a token. The lookup uses the hash, so that its time reveals nothing of
   * the token.
   */
  public Optional<Identity> ofToken(String token) {
    return Optional.ofNullable(byToken.get(hash(token)));
  }

  /**
   * Returns the identity of a certificate: by its whole name, or by its common name as {@code
   * CN=...}. The common name counts only as the most specific part of the name, and if it is the
   * only one: an authority may let clients choose the other parts.
   *
   * @param name by RFC 2253, the most specific part first
   */
  public Optional<Identity> ofCertificate(String name) {
    Identity whole = byCertificate.get(name);
    return whole != null
        ? Optional.of(whole)
        : commonName(name)
            .flatMap(cn -> Optional.ofNullable(byCertificate.get("CN=" + Rdn.escapeValue(cn))));
  }

  private static Optional<String> commonName(String name) {
    try {
      List<Rdn> parts = new LdapName(name).getRdns();
      if (parts.isEmpty() || parts.stream().filter(Identities::isCommonName).count() != 1) {
        return Optional.empty();
      }
      Rdn own = parts.get(parts.size() - 1);
      return isCommonName(own) && own.size() == 1 && own.getValue() instanceof String text
          ? Optional.of(text)
          : Optional.empty();
    } catch (InvalidNameException e) {
      return Optional.empty();
    }
  }

  private static boolean isCommonName(Rdn part) {
    return part.toAttributes().get("CN") != null;
  }

  public int size() {
    return byToken.size() + byCertificate.size();
  }

  /** Returns the form of a token in the file. */
  public static String hash(String token) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This JVM has no SHA-256.", e);
    }
  }
}
