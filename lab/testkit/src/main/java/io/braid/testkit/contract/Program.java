package io.braid.testkit.contract;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.testkit.contract.Step.Op;
import java.util.ArrayList;
import java.util.List;

/**
 * The actions of a procedure of the contract, as data: the rows it names, the snapshot it reads at,
 * and its steps. The result is one text for each step that was done.
 */
record Program(List<Row> rows, long snapshot, List<Step> steps) {
  /** Runs programs. */
  static final Procedure<Program, List<String>> WRITING = new Runner("contract", false, true);

  /** Runs programs that only read, each read at an instant of its own. */
  static final Procedure<Program, List<String>> READING = new Runner("contract.read", true, false);

  /** Runs programs that only read, all at one instant. */
  static final Procedure<Program, List<String>> LOOKING = new Runner("contract.look", true, true);

  static final Codec<Program> CODEC = Codecs.of(Program::encode, Program::decode);
  static final Codec<List<String>> ANSWERS = Codecs.of(Program::encodeAnswers, Program::decodeAll);

  private static final ColumnName NO_COLUMN = new ColumnName("", Bytes.EMPTY);
  private static final int MOST = 1 << 20;

  Program {
    rows = List.copyOf(rows);
    steps = List.copyOf(steps);
  }

  static Program over(Row... rows) {
    return new Program(List.of(rows), 0, List.of());
  }

  /** Reads at a snapshot. */
  Program at(long timestamp) {
    return new Program(rows, timestamp, steps);
  }

  Program newest(Row row, ColumnName column, long maxVersion) {
    return then(new Step(Op.NEWEST, row, column, maxVersion, 0, 0, Bytes.EMPTY));
  }

  Program at(Row row, ColumnName column, long version) {
    return then(new Step(Op.AT, row, column, version, 0, 0, Bytes.EMPTY));
  }

  Program versions(Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
    return then(new Step(Op.VERSIONS, row, column, maxVersion, minVersion, limit, Bytes.EMPTY));
  }

  Program family(Row row, String family, Bytes prefix) {
    return then(new Step(Op.FAMILY, row, new ColumnName(family, prefix), 0, 0, 0, Bytes.EMPTY));
  }

  /** Asks for the newest version above this one. */
  Program above(Row row, ColumnName column, long version) {
    return then(new Step(Op.ABOVE, row, column, version, 0, 0, Bytes.EMPTY));
  }

  Program put(Row row, ColumnName column, long version, String value) {
    return then(new Step(Op.PUT, row, column, version, 0, 0, Bytes.of(value)));
  }

  Program delete(Row row, ColumnName column, long version) {
    return then(new Step(Op.DELETE, row, column, version, 0, 0, Bytes.EMPTY));
  }

  /** Draws a version from the clock and puts the value with it. */
  Program draw(Row row, ColumnName column, long atLeast, String value) {
    return then(new Step(Op.DRAW, row, column, atLeast, 0, 0, Bytes.of(value)));
  }

  Program raise(Row row, long version) {
    return then(new Step(Op.RAISE, row, NO_COLUMN, version, 0, 0, Bytes.EMPTY));
  }

  Program epoch(Row row) {
    return then(new Step(Op.EPOCH, row, NO_COLUMN, 0, 0, 0, Bytes.EMPTY));
  }

  /** Goes on only when the epoch of the row's table is this one. */
  Program expectEpoch(Row row, long epoch) {
    return then(new Step(Op.EXPECT_EPOCH, row, NO_COLUMN, epoch, 0, 0, Bytes.EMPTY));
  }

  Program watermark() {
    return then(new Step(Op.WATERMARK, rows.get(0), NO_COLUMN, 0, 0, 0, Bytes.EMPTY));
  }

  /** Goes on only when the low watermark is this one. */
  Program expectWatermark(long watermark) {
    return then(
        new Step(Op.EXPECT_WATERMARK, rows.get(0), NO_COLUMN, watermark, 0, 0, Bytes.EMPTY));
  }

  /** Adds to the number in a column, once for each id. */
  Program add(Row row, ColumnName column, long amount, long id) {
    return then(new Step(Op.ADD, row, column, id, amount, 0, Bytes.EMPTY));
  }

  /** Runs the action given to {@link Halt#next}, in the middle of the run. */
  Program halt() {
    return then(new Step(Op.HALT, rows.get(0), NO_COLUMN, 0, 0, 0, Bytes.EMPTY));
  }

  Program fail() {
    return then(new Step(Op.FAIL, rows.get(0), NO_COLUMN, 0, 0, 0, Bytes.EMPTY));
  }

  private Program then(Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return new Program(rows, snapshot, longer);
  }

  private List<String> run(RowAccess access) {
    List<String> answers = new ArrayList<>();
    for (Step step : steps) {
      String answer = step.run(access);
      answers.add(answer);
      boolean expects = step.op() == Op.EXPECT_EPOCH || step.op() == Op.EXPECT_WATERMARK;
      if (expects && Long.parseLong(answer) != step.version()) {
        return answers;
      }
    }
    return answers;
  }

  private static Bytes encode(Program program) {
    Encoder to = new Encoder().int64(program.snapshot).varint(program.rows.size());
    program.rows.forEach(to::row);
    to.varint(program.steps.size());
    program.steps.forEach(step -> step.encode(to));
    return to.finish();
  }

  private static Program decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    long snapshot = from.int64();
    List<Row> rows = new ArrayList<>();
    for (int left = from.count(MOST); left > 0; left--) {
      rows.add(from.row());
    }
    List<Step> steps = new ArrayList<>();
    for (int left = from.count(MOST); left > 0; left--) {
      steps.add(Step.decode(from));
    }
    from.end();
    return new Program(rows, snapshot, steps);
  }

  private static Bytes encodeAnswers(List<String> answers) {
    Encoder to = new Encoder().varint(answers.size());
    answers.forEach(to::text);
    return to.finish();
  }

  private static List<String> decodeAll(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    List<String> answers = new ArrayList<>();
    for (int left = from.count(MOST); left > 0; left--) {
      answers.add(from.text());
    }
    from.end();
    return answers;
  }

  private record Runner(String name, boolean readOnly, boolean atOneInstant)
      implements Procedure<Program, List<String>> {
    /** A program may write everything that the laws are about. */
    @Override
    public long highest(Program program) {
      return Long.MAX_VALUE;
    }

    @Override
    public boolean excludesOthers(Program program) {
      return atOneInstant;
    }

    @Override
    public List<Row> rows(Program program) {
      return program.rows;
    }

    @Override
    public long snapshot(Program program) {
      return program.snapshot;
    }

    @Override
    public List<String> run(RowAccess rows, Program program) {
      return program.run(rows);
    }

    @Override
    public Codec<Program> argumentCodec() {
      return CODEC;
    }

    @Override
    public Codec<List<String>> resultCodec() {
      return ANSWERS;
    }
  }
}
