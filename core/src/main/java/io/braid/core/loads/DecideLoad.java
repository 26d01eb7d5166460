package io.braid.core.loads;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.loads.LoadState.Phase;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moves a load's record one step on, if the record is in the phase where the step begins. Answers
 * the state of the record afterwards; empty when there is no record. A repeated step finds its work
 * done. The first proposed commit timestamp is final.
 */
public final class DecideLoad implements Procedure<DecideLoad.Request, Optional<LoadState>> {
  public static final DecideLoad INSTANCE = new DecideLoad();

  private static final Step[] STEPS = Step.values();

  /** The steps of a load. */
  public enum Step {
    /** Writes the record unless there is one. */
    BEGIN,
    /** From LOADING to DRAINING. */
    DRAIN,
    /** From DRAINING back to LOADING. */
    REOPEN,
    /** From DRAINING to CLOSING. */
    CLOSE,
    /** From CLOSING to COMMITTED. */
    COMMIT,
    /** From LOADING or DRAINING to ABORTED. */
    ABORT
  }

  /**
   * The step to take.
   *
   * @param begin the record of a load that begins; null for other steps
   * @param commit the proposed commit timestamp; 0 for other steps
   * @param drainer for DRAIN, REOPEN and CLOSE: the draining that the step belongs to; empty
   *     otherwise
   */
  public record Request(
      String load, Step step, @Nullable LoadState begin, long commit, String drainer) {
    public static Request of(String load, Step step) {
      return new Request(load, step, null, 0, "");
    }

    public static Request begin(String load, LoadState state) {
      return new Request(load, Step.BEGIN, state, 0, "");
    }

    public static Request commit(String load, long timestamp) {
      return new Request(load, Step.COMMIT, null, timestamp, "");
    }

    public static Request draining(String load, Step step, String drainer) {
      return new Request(load, step, null, 0, drainer);
    }
  }

  private DecideLoad() {}

  @Override
  public String name() {
    return "loads.decide-load";
  }

  @Override
  public List<Row> rows(Request request) {
    return List.of(LoadState.row(request.load));
  }

  @Override
  public long highest(Request request) {
    return request.begin == null ? request.commit : request.begin.start();
  }

  @Override
  public Optional<LoadState> run(RowAccess rows, Request request) {
    Row row = LoadState.row(request.load);
    Cell cell = rows.newest(row, LoadState.COLUMN, Long.MAX_VALUE);
    LoadState before = cell == null ? null : LoadState.decode(cell.value());
    LoadState after = before == null ? request.begin : step(before, request);
    if (after != null && !after.equals(before)) {
      rows.put(row, LoadState.COLUMN, LoadState.VERSION, after.encode());
    }
    return Optional.ofNullable(after);
  }

  private static LoadState step(LoadState state, Request request) {
    Phase phase = state.phase();
    boolean draining = phase == Phase.DRAINING && state.drainer().equals(request.drainer);
    return switch (request.step) {
      case BEGIN -> state;
      case DRAIN -> phase == Phase.LOADING ? state.drainedBy(request.drainer) : state;
      case REOPEN -> draining ? state.in(Phase.LOADING) : state;
      case CLOSE -> draining ? state.in(Phase.CLOSING) : state;
      case COMMIT -> phase == Phase.CLOSING ? state.committedAt(request.commit) : state;
      case ABORT ->
          phase == Phase.LOADING || phase == Phase.DRAINING ? state.in(Phase.ABORTED) : state;
    };
  }

  @Override
  public Codec<Request> argumentCodec() {
    return Codecs.of(DecideLoad::encode, DecideLoad::decode);
  }

  @Override
  public Codec<Optional<LoadState>> resultCodec() {
    return Codecs.of(
        answer -> answer.map(LoadState::encode).orElse(Bytes.EMPTY),
        bytes -> bytes.isEmpty() ? Optional.empty() : Optional.of(LoadState.decode(bytes)));
  }

  private static Bytes encode(Request request) {
    Encoder to = new Encoder();
    to.text(request.load).u8(request.step.ordinal()).varint(request.commit).text(request.drainer);
    return to.raw(request.begin == null ? Bytes.EMPTY : request.begin.encode()).finish();
  }

  private static Request decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    String load = from.text();
    int step = from.u8();
    if (step >= STEPS.length) {
      throw new IllegalArgumentException("A load has no step " + step + ".");
    }
    long commit = from.varint();
    String drainer = from.text();
    Bytes begin = from.rest();
    return new Request(
        load, STEPS[step], begin.isEmpty() ? null : LoadState.decode(begin), commit, drainer);
  }
}
