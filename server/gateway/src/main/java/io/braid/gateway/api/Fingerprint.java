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
 * The fingerprint of a request, which distinguishes the request from others of the same name: the
 * SHA-256 of its operations. The same operations have the same fingerprint on every way into the
 * node.
 */
final class Fingerprint {
  private final MessageDigest digest;
  private Encoder to = new Encoder();

  private Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  /**
   * Of operations in their order.
   *
   * @param of the open transaction that they end; "" when they are one of their own
   */
  static Bytes of(String of, List<Operation> operations) {
    Fingerprint print = new Fingerprint();
    print.to.text(of).varint(operations.size());
    operations.forEach(print::add);
    print.flush();
    return Bytes.wrap(print.digest.digest());
  }

  /** Takes into the digest what was encoded, so that values are never encoded together. */
  private void flush() {
    digest.update(to.finish().toBuffer());
    to = new Encoder();
  }

  private void add(Operation operation) {
    if (operation instanceof Operation.Get get) {
      to.text("get").row(get.row());
      columns(get.columns());
    } else if (operation instanceof Operation.Read read) {
      to.text("scan");
      scan(read.scan());
    } else if (operation instanceof Operation.Expect expect) {
      to.text("expect").row(expect.row());
      values(expect.columns());
    } else if (operation instanceof Operation.Set set) {
      to.text("set").row(set.row());
      values(set.columns());
    } else if (operation instanceof Operation.Lock lock) {
      to.text("lock").row(lock.row());
      columns(lock.columns());
    }
  }

  private void scan(Scan scan) {
    to.text(scan.table()).bytes(scan.range().start());
    Bytes end = scan.range().end();
    to.bool(end == null).bytes(end == null ? Bytes.EMPTY : end);
    to.varint(scan.families().size());
    scan.families().stream().sorted().forEach(to::text);
    to.varint(scan.columns().size());
    scan.columns().forEach(to::column);
    to.varint(scan.limit());
  }

  private void columns(List<Column<Bytes>> columns) {
    to.varint(columns.size());
    columns.forEach(each -> to.column(each.name()));
  }

  private void values(Map<Column<Bytes>, Optional<Bytes>> values) {
    to.varint(values.size());
    values.forEach(
        (column, value) -> {
          Bytes bytes = value.orElse(Bytes.EMPTY);
          to.column(column.name()).bool(value.isPresent()).varint(bytes.length());
          flush();
          digest.update(bytes.toBuffer());
        });
  }
}
