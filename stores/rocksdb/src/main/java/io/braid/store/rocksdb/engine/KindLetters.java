package io.braid.store.rocksdb.engine;

import io.braid.core.store.TableSchema.Kind;

/** The letters by which the disk knows the kinds of families. */
public final class KindLetters {
  private KindLetters() {}

  public static char letter(Kind kind) {
    return switch (kind) {
      case DATA -> 'D';
      case LARGE -> 'L';
      case SPARSE -> 'S';
    };
  }

  public static Kind kind(char letter) {
    return switch (letter) {
      case 'D' -> Kind.DATA;
      case 'L' -> Kind.LARGE;
      case 'S' -> Kind.SPARSE;
      default -> throw new IllegalArgumentException("No kind of family is " + letter + ".");
    };
  }
}
