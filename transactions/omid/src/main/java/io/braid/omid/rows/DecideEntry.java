package io.braid.omid.rows;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Decides a transaction (algorithm 3: {@code CT.check&mutate(ts, commit, nil, ...)}). Its client
 * proposes the commit timestamp; a reader that cannot wait proposes {@link CommitEntries#INVALID}.
 * The first proposal wins. Answers the value of the entry.
 *
 * <p>Entries may be removed once the low watermark is above their transactions. Then no proposal is
 * taken, and the answer is {@link CommitEntries#FORGOTTEN}. If a tentative cell is still present,
 * its transaction never commits. If none is present, the transaction may have committed.
 */
public final class DecideEntry implements Procedure<DecideEntry.Request, Long> {
  public static final DecideEntry INSTANCE = new DecideEntry();

  /**
   * A proposal.
   *
   * @param commit the commit timestamp, or {@link CommitEntries#INVALID}
   */
  public record Request(long start, long commit) {}

  private DecideEntry() {}

  @Override
  public String name() {
    return "omid.decide-entry";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(CommitEntries.row(request.start));
  }

  @Override
  public long highest(Request request) {
    return Math.max(request.start, request.commit);
  }

  @Override
  public Long run(RowAccess rows, Request request) {
    Row row = CommitEntries.row(request.start);
    Cell stands = rows.at(row, CommitEntries.COLUMN, CommitEntries.VERSION);
    if (stands != null) {
      return CommitEntries.commit(stands.value());
    }
    if (request.start < rows.watermark()) {
      // The entry may have been removed: nothing is decided any more.
      return CommitEntries.FORGOTTEN;
    }
    rows.put(row, CommitEntries.COLUMN, CommitEntries.VERSION, CommitEntries.value(request.commit));
    return request.commit;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(DecideEntry::encode, DecideEntry::decode);
  }

  @Override
  public Codec<Long> resultCodec() {
    return Codecs.int64();
  }

  private static Bytes encode(Request request) {
    return new Encoder(24).varint(request.start).varint(request.commit).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.varint(), from.varint());
  }
}
