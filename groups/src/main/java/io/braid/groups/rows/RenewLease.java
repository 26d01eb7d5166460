package io.braid.groups.rows;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Renews the lease of a leader of groups, or ends the leader's claim. The count only rises: a late
 * copy of a renewal must not look as if the leader had not renewed since. Answers whether this
 * renewal is the newest.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RenewLease implements Procedure<RenewLease.Request, Boolean> {
  public static final RenewLease INSTANCE = new RenewLease();
  public static final long VERSION = 1;

  private static final Bytes RESIGNED = Bytes.of("r");
  private static final String PREFIX = "group-leader/";
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "lease");

  /**
   * The lease to renew.
   *
   * @param count how often it has been renewed
   * @param resigned whether others may take all groups of the leader at once
   */
  public record Request(String token, long count, boolean resigned) {}

  private RenewLease() {}

  public static Row row(String token) {
    return Row.of(Families.SYSTEM_TABLE, PREFIX + token);
  }

  /** The leases of all begin so. */
  public static Bytes prefix() {
    return Bytes.of(PREFIX);
  }

  /** Whose lease a row is. */
  public static String tokenOf(Row row) {
    return row.key().toUtf8().substring(PREFIX.length());
  }

  /** Whether a lease says that its leader has resigned. */
  public static boolean isResigned(Bytes value) {
    return value.length() > Long.BYTES;
  }

  public static ColumnName column() {
    return COLUMN;
  }

  @Override
  public String name() {
    return "groups.renew-lease";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(row(request.token));
  }

  @Override
  public Boolean run(RowAccess rows, Request request) {
    Row row = row(request.token);
    Cell before = rows.at(row, COLUMN, VERSION);
    if (before != null && before.value().longAt(0) > request.count) {
      return false;
    }
    Bytes count = Bytes.ofLong(request.count);
    rows.put(row, COLUMN, VERSION, request.resigned ? count.concat(RESIGNED) : count);
    return true;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(
        request ->
            new Encoder(64)
                .text(request.token)
                .varint(request.count)
                .bool(request.resigned)
                .finish(),
        bytes -> {
          Decoder from = new Decoder(bytes);
          return new Request(from.text(), from.varint(), from.bool());
        });
  }

  @Override
  public Codec<Boolean> resultCodec() {
    return Codecs.bool();
  }
}
