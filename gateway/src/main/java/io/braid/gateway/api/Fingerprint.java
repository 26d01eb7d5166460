package io.braid.gateway.api;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Encoder;
import io.braid.core.transaction.Scan;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What tells a request from others of the same name: the SHA-256 of what it asks for. However a
 * request comes in, the same operations have the same fingerprint.
 */
final class Fingerprint {
  private Fingerprint() {}

  /**
   * Of operations in their order.
   *
   * @param of the open transaction that they end; "" when they are one of their own
   */
  static Bytes of(String of, List<Operation> operations) {
    Encoder to = new Encoder().text(of).varint(operations.size());
    operations.forEach(each -> encode(each, to));
    try {
      return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(to.finish().toArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  private static void encode(Operation operation, Encoder to) {
    if (operation instanceof Operation.Get get) {
      to.text("get").row(get.row());
      columns(get.columns(), to);
    } else if (operation instanceof Operation.Read read) {
      scan(read.scan(), to.text("scan"));
    } else if (operation instanceof Operation.Expect expect) {
      values(expect.columns(), to.text("expect").row(expect.row()));
    } else if (operation instanceof Operation.Set set) {
      values(set.columns(), to.text("set").row(set.row()));
    } else if (operation instanceof Operation.Lock lock) {
      columns(lock.columns(), to.text("lock").row(lock.row()));
    }
  }

  private static void scan(Scan scan, Encoder to) {
    to.text(scan.table()).bytes(scan.range().start());
    Bytes end = scan.range().end();
    to.bool(end == null).bytes(end == null ? Bytes.EMPTY : end);
    to.varint(scan.families().size());
    scan.families().stream().sorted().forEach(to::text);
    to.varint(scan.columns().size());
    scan.columns().forEach(to::column);
    to.varint(scan.limit());
  }

  private static void columns(List<Column<Bytes>> columns, Encoder to) {
    to.varint(columns.size());
    columns.forEach(each -> to.column(each.name()));
  }

  private static void values(Map<Column<Bytes>, Optional<Bytes>> values, Encoder to) {
    to.varint(values.size());
    values.forEach(
        (column, value) ->
            to.column(column.name()).bool(value.isPresent()).bytes(value.orElse(Bytes.EMPTY)));
  }
}
