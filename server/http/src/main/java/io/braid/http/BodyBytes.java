package io.braid.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.Enumeration;
import java.util.Queue;

/**
 * The body of a request. Small pieces are joined, since each piece of its own costs more memory
 * than its bytes.
 */
final class BodyBytes {
  /** Bytes of a piece that is kept as it is. */
  private static final int LARGE = 4 << 10;

  /** Bytes of joined pieces. */
  private static final int JOINED = 32 << 10;

  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private ByteArrayOutputStream small = new ByteArrayOutputStream(0);

  void add(byte[] piece) {
    if (piece.length < LARGE) {
      small.writeBytes(piece);
    }
    if (small.size() > 0 && (piece.length >= LARGE || small.size() >= JOINED)) {
      join();
    }
    if (piece.length >= LARGE) {
      pieces.add(piece);
    }
  }

  private void join() {
    pieces.add(small.toByteArray());
    small = new ByteArrayOutputStream(0);
  }

  /** Returns how many arrays there are. */
  int pieces() {
    return pieces.size();
  }

  /** Returns all bytes; each can be read once, and is not kept then. */
  InputStream read() {
    join();
    return new SequenceInputStream(
        new Enumeration<>() {
          @Override
          public boolean hasMoreElements() {
            return !pieces.isEmpty();
          }

          @Override
          public InputStream nextElement() {
            return new ByteArrayInputStream(pieces.remove());
          }
        });
  }
}
