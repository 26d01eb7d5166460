package io.braid.core.data;

import java.util.Objects;

/** A column with the type of its values. */
public record Column<T>(ColumnName name, Codec<T> codec) {
  public Column {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(codec, "codec");
  }

  public static <T> Column<T> of(String family, String qualifier, Codec<T> codec) {
    return of(family, Bytes.of(qualifier), codec);
  }

  public static <T> Column<T> of(String family, Bytes qualifier, Codec<T> codec) {
    return new Column<>(new ColumnName(family, qualifier), codec);
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
