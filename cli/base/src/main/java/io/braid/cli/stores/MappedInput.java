package io.braid.cli.stores;

import io.braid.core.data.Bytes;
import io.braid.serving.build.TupleMapper;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The tuples that a mapper of the user's makes of others. */
final class MappedInput implements TupleInput {
  private final TupleInput input;
  private final TupleMapper mapper;
  private Bytes key = Bytes.EMPTY;
  private Bytes value = Bytes.EMPTY;

  MappedInput(TupleInput input, TupleMapper mapper) {
    this.input = input;
    this.mapper = mapper;
  }

  @Override
  public boolean next() throws IOException {
    while (input.next()) {
      if (map()) {
        return true;
      }
    }
    return false;
  }

  private boolean map() throws IOException {
    try {
      @Nullable Bytes made = mapper.makeKey(input.key(), input.value());
      if (made != null) {
        key = made;
        value = Objects.requireNonNull(mapper.makeValue(input.key(), input.value()), "no value");
      }
      return made != null;
    } catch (RuntimeException e) {
      throw new IOException(
          "Mapper "
              + mapper.getClass().getName()
              + " has failed at the tuple of key "
              + input.key()
              + ": "
              + e,
          e);
    }
  }

  @Override
  public Bytes key() {
    return key;
  }

  @Override
  public Bytes value() {
    return value;
  }

  @Override
  public OptionalLong snapshot() {
    return input.snapshot();
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
