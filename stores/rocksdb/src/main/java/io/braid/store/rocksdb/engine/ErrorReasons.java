package io.braid.store.rocksdb.engine;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes an enumeration of RocksJava. RocksDB knows more reasons for an error in the background
 * than {@code BackgroundErrorReason}, which throws when it is asked for an unknown one. That
 * happens on a thread of RocksDB before the listener is called: the exception is printed over the
 * user's output, and {@link NoSelfRecovery} is not asked.
 *
 * <p>So the class is defined before its first use, with its last instructions replaced: for an
 * unknown reason it returns its first one. Where this is not possible, the class stays as it was.
 */
final class ErrorReasons {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorReasons.class);
  private static final String NAME = "BackgroundErrorReason.class";

  // The code that throws: opcodes and their lengths, from "new IllegalArgumentException" to
  // "athrow".
  private static final int[] THROWS = {
    0xBB, 3, 0x59, 1, 0xBB, 3, 0x59, 1, 0xB7, 3, 0x12, 2, 0xB6, 3, 0x1A, 1, 0xB6, 3, 0xB6, 3, 0xB7,
    3, 0xBF, 1
  };

  /** Where the method begins, with a call of {@code values}: so many bytes before. */
  private static final int BEGIN = 37;

  private static final int CALL = 0xB8;

  private ErrorReasons() {}

  /** To be called before anything else of RocksDB is used. */
  static void complete() {
    try (InputStream in = RocksDB.class.getResourceAsStream(NAME)) {
      byte[] patched = in == null ? null : patched(in.readAllBytes());
      if (patched != null) {
        MethodHandles.privateLookupIn(RocksDB.class, MethodHandles.lookup()).defineClass(patched);
      }
    } catch (IOException | IllegalAccessException | RuntimeException | LinkageError e) {
      LOG.debug("The reasons of errors in the background stay as RocksJava has them.", e);
    }
  }

  /** Null when the class is another than the one that is known. */
  static byte @Nullable [] patched(byte[] type) {
    for (int at = 0; at < type.length; at++) {
      int end = end(type, at);
      int begin = at - BEGIN;
      if (end > 0 && begin > 0 && (type[begin] & 0xFF) == CALL) {
        // Nothing, and at the end: the first of the values is returned.
        byte[] first = {type[begin], type[begin + 1], type[begin + 2], 0x03, 0x32, (byte) 0xB0};
        Arrays.fill(type, at, end - first.length, (byte) 0);
        System.arraycopy(first, 0, type, end - first.length, first.length);
        return type;
      }
    }
    return null;
  }

  private static int end(byte[] type, int from) {
    int at = from;
    for (int i = 0; i < THROWS.length; i += 2) {
      if (at >= type.length || (type[at] & 0xFF) != THROWS[i]) {
        return 0;
      }
      at += THROWS[i + 1];
    }
    return at;
  }
}
