package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/** Registers an observer unless one of its name is registered; answers the one that is. */
final class RegisterObserver implements Procedure<Registration, Registration> {
  static final RegisterObserver INSTANCE = new RegisterObserver();

  static final Bytes PREFIX = Bytes.of("observer/");
  static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "registration");
  static final long VERSION = 1;

  static Row row(String name) {
    return Row.of(Families.SYSTEM_TABLE, PREFIX.concat(Bytes.of(name)));
  }

  @Override
  public String name() {
    return "observers.register";
  }

  @Override
  public List<Row> rows(Registration registration) {
    return List.of(row(registration.name()));
  }

  @Override
  public Registration run(RowAccess rows, Registration registration) {
    Row row = row(registration.name());
    Cell before = rows.at(row, COLUMN, VERSION);
    if (before != null) {
      return Registration.CODEC.decode(before.value());
    }
    rows.put(row, COLUMN, VERSION, Registration.CODEC.encode(registration));
    return registration;
  }

  @Override
  public Codec<Registration> argumentCodec() {
    return Registration.CODEC;
  }

  @Override
  public Codec<Registration> resultCodec() {
    return Registration.CODEC;
  }
}
