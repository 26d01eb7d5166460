package io.braid.groups.node;

import io.braid.groups.GroupException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import javax.net.ssl.SSLException;

/**
 * How both ends of a connection prove that they know the secret, before any other message:
 *
 * <ol>
 *   <li>the client sends a magic number and 32 random bytes;
 *   <li>the server confirms (1 byte), and sends 32 random bytes of its own;
 *   <li>the client sends a code of "client" and both random values;
 *   <li>the server confirms the code (1 byte), and sends a code of "server" and both random values.
 * </ol>
 *
 * A zero in the place of a one refuses, and ends the connection. Codes are HMAC-SHA256. Later
 * messages are not encrypted: that is what TLS is for.
 */
final class Handshake {
  static final long MAGIC = 0x4252_4149_4447_4131L; // BRAIDGA1

  private static final int TLS_ALERT = 0x15;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final byte[] CLIENT = "client".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SERVER = "server".getBytes(StandardCharsets.US_ASCII);

  private Handshake() {}

  /** A caller that does not know the secret, or begins otherwise. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final long began;

    /**
     * @param began the first number that the caller sent
     */
    RefusedException(String message, long began) {
      super(message);
      this.began = began;
    }

    long began() {
      return began;
    }
  }

  /**
   * Runs the client's part of the handshake.
   *
   * @throws GroupException when the other does not know the secret
   */
  static void call(Secret secret, String address, DataInputStream from, DataOutputStream to)
      throws IOException {
    byte[] own = random();
    to.writeLong(MAGIC);
    to.write(own);
    to.flush();
    requireYes(from, address);
    byte[] others = read(from);
    to.write(ofClient(secret, own, others));
    to.flush();
    requireYes(from, address);
    if (!isOfServer(secret, read(from), own, others)) {
      throw refused(address);
    }
  }

  /**
   * Runs the server's part of the handshake, from the magic number on.
   *
   * @param magic the first number that the client sent
   */
  static void answer(Secret secret, long magic, DataInputStream from, DataOutputStream to)
      throws IOException {
    if (magic != MAGIC) {
      throw new RefusedException("A caller that does not say that it knows the secret.", magic);
    }
    byte[] others = read(from);
    byte[] own = random();
    to.writeByte(1);
    to.write(own);
    to.flush();
    if (!isOfClient(secret, read(from), others, own)) {
      refuse(to);
      throw new RefusedException("A caller that does not know the secret.", magic);
    }
    to.writeByte(1);
    to.write(ofServer(secret, others, own));
    to.flush();
  }

  /** Tells a caller that it is not let in. */
  static void refuse(DataOutputStream to) throws IOException {
    to.writeByte(0);
    to.flush();
  }

  private static void requireYes(DataInputStream from, String address) throws IOException {
    int answer = from.readUnsignedByte();
    if (answer == TLS_ALERT) {
      throw new SSLException("The other end speaks TLS.");
    }
    if (answer != 1) {
      throw refused(address);
    }
  }

  private static GroupException refused(String address) {
    return new GroupException(
        "The group node at "
            + address
            + " has another secret, or none: name the file of its own in groups.secret.",
        null);
  }

  private static byte[] read(DataInputStream from) throws IOException {
    byte[] bytes = from.readNBytes(Secret.CODE);
    if (bytes.length < Secret.CODE) {
      throw new EOFException("The connection ended within the handshake.");
    }
    return bytes;
  }

  /** Returns the code by which the client proves itself. */
  static byte[] ofClient(Secret secret, byte[] clients, byte[] servers) {
    return secret.code(CLIENT, clients, servers);
  }

  static boolean isOfClient(Secret secret, byte[] code, byte[] clients, byte[] servers) {
    return secret.matches(code, CLIENT, clients, servers);
  }

  /** Returns the code by which the server proves itself. */
  static byte[] ofServer(Secret secret, byte[] clients, byte[] servers) {
    return secret.code(SERVER, clients, servers);
  }

  static boolean isOfServer(Secret secret, byte[] code, byte[] clients, byte[] servers) {
    return secret.matches(code, SERVER, clients, servers);
  }

  static byte[] random() {
    byte[] bytes = new byte[Secret.CODE];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}
