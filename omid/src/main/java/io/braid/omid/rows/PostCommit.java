package io.braid.omid.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * Makes the tentative cells of a committed transaction in a row commit records at its commit
 * timestamp (algorithm 3: {@code ds.put(k, ts, commit, tsc)}), and raises the tablet clock to it
 * (algorithm 4: {@code preUpdate}). From then on a read needs no look at the commit table. Answers
 * Done or Refused.
 */
public final class PostCommit implements Procedure<PostCommit.Request, Answer> {
  public static final PostCommit INSTANCE = new PostCommit();

  /**
   * A row of a transaction that has committed.
   *
   * @param epoch the epoch of the row's table now
   */
  public record Request(Row row, long epoch, long start, long commit) {}

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
  public Answer run(RowAccess rows, Request request) {
    RowIntents intents = RowIntents.of(rows, request.row);
    List<RowIntents.Own> own = intents.own(request.start);
    if (own.isEmpty()) {
      return Answer.DONE;
    }
    Refusal refusal = intents.guardEpoch(request.epoch);
    if (refusal != null) {
      return new Answer.Refused(refusal);
    }
    rows.clock().raise(request.commit);
    for (RowIntents.Own each : own) {
      CommitRecords.replace(rows, request.row, each, request.start, request.commit);
    }
    return Answer.DONE;
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(PostCommit::encode, PostCommit::decode);
  }

  @Override
  public Codec<Answer> resultCodec() {
    return Answer.CODEC;
  }

  private static Bytes encode(Request request) {
    return new Encoder(96)
        .row(request.row)
        .varint(request.epoch)
        .varint(request.start)
        .varint(request.commit)
        .finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Request(from.row(), from.varint(), from.varint(), from.varint());
  }
}
