package io.braid.omid.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tentative cells of a committed transaction in a row commit records at its commit
 * timestamp (algorithm 3: {@code ds.put(k, ts, commit, tsc)}), and raises the tablet clock to it
 * (algorithm 4: {@code preUpdate}). From then on a read needs no look at the commit table. Weak
 * notifications of the transaction are confirmed. Answers Done or Refused.
 */
public final class PostCommit implements Procedure<PostCommit.Request, OmidAnswer> {
  public static final PostCommit INSTANCE = new PostCommit();

  /**
   * A row of a transaction that has committed.
   *
   * @param columns all columns that it writes there, so that its cells need no search
   * @param weak all columns that it notifies weakly there; if both lists are empty, neither is
   *     known
   * @param epoch the epoch of the row's table now
   */
  public record Request(
      Row row,
      List<ColumnName> columns,
      List<ColumnName> weak,
      long epoch,
      long start,
      long commit) {
    public Request {
      columns = List.copyOf(columns);
      weak = List.copyOf(weak);
    }

    private boolean searches() {
      return columns.isEmpty() && weak.isEmpty();
    }
  }

  private PostCommit() {}

  @Override
  public String name() {
    return "omid.post-commit";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(request.row);
  }

  @Override
  public long highest(Request request) {
    return request.commit;
  }

  @Override
  public OmidAnswer run(RowAccess rows, Request request) {
    List<RowIntents.OwnIntent> own = own(rows, request);
    Map<ColumnName, Notification> pending = pending(rows, request);
    if (own.isEmpty() && pending.isEmpty()) {
      return OmidAnswer.DONE;
    }
    Refusal refusal = WriteGuard.checkEpoch(rows, request.row, request.epoch);
    if (refusal != null) {
      return new OmidAnswer.Refused(refusal);
    }
    rows.clock().raise(request.commit);
    for (RowIntents.OwnIntent each : own) {
      CommitRecords.replace(rows, request.row, each, request.start, request.commit);
    }
    pending.forEach(
        (column, notification) ->
            rows.put(request.row, column, request.start, notification.confirmed().encode()));
    return OmidAnswer.DONE;
  }

  private static List<RowIntents.OwnIntent> own(RowAccess rows, Request request) {
    if (request.searches()) {
      return RowIntents.of(rows, request.row).own(request.start);
    }
    List<RowIntents.OwnIntent> own = new ArrayList<>(request.columns.size());
    for (ColumnName column : request.columns) {
      Cell cell = rows.at(request.row, Families.intent(column), request.start);
      Intent intent = cell == null ? null : Intent.read(request.row, cell);
      if (intent != null && intent.undecided()) {
        own.add(new RowIntents.OwnIntent(column, intent));
      }
    }
    return own;
  }

  /** Returns the weak notifications that wait for the commit, by the column that holds them. */
  private static Map<ColumnName, Notification> pending(RowAccess rows, Request request) {
    Map<ColumnName, Notification> pending = new LinkedHashMap<>(0);
    if (request.searches()) {
      for (Cell cell : rows.family(request.row, Families.NOTIFY, Bytes.EMPTY)) {
        addPending(cell, request.start, pending);
      }
    } else {
      for (ColumnName column : request.weak) {
        addPending(
            rows.at(request.row, Families.notification(column), request.start),
            request.start,
            pending);
      }
    }
    return pending;
  }

  private static void addPending(
      @Nullable Cell cell, long start, Map<ColumnName, Notification> pending) {
    if (cell != null && cell.version() == start) {
      Notification notification = Notification.decode(cell.value());
      if (notification.kind() == Notification.Kind.WEAK_PENDING) {
        pending.put(cell.column(), notification);
      }
    }
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(PostCommit::encode, PostCommit::decode);
  }

  @Override
  public Codec<OmidAnswer> resultCodec() {
    return OmidAnswer.CODEC;
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder(96).row(request.row);
    Lists.encode(to, request.columns, (column, out) -> out.column(column));
    Lists.encode(to, request.weak, (column, out) -> out.column(column));
    return to.varint(request.epoch).varint(request.start).varint(request.commit).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(
        from.row(),
        Lists.decode(from, Decoder::column),
        Lists.decode(from, Decoder::column),
        from.varint(),
        from.varint(),
        from.varint());
  }
}
