package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Row;
import io.braid.core.runtime.ReadProgress;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.store.hbase.wire.Choice;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.junit.jupiter.api.Test;

/** A scan that regions refuse, for the table is another one by now. */
class TableScannerTest {
  private final Deque<Object> answers = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private boolean again = true;

  private final TableScanner.Source source =
      new TableScanner.Source() {
        @Override
        public ResultScanner open() {
          done.add("open");
          return Fakes.of(
              ResultScanner.class,
              Map.of(
                  "next",
                  arguments -> {
                    Object answer = answers.remove();
                    if (answer instanceof IOException failure) {
                      throw failure;
                    }
                    return answer;
                  },
                  "close",
                  arguments -> done.add("close")));
        }

        @Override
        public void check() {}

        @Override
        public boolean again(IOException refusal) {
          done.add("again");
          return again;
        }
      };

  private TableScanner scanner() {
    return new TableScanner("t", Choice.of(List.of(Selection.family("f"))), source);
  }

  private static Result row(String key) {
    return Result.create(
        List.of(
            CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
                .setRow((key + "\0").getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .setFamily(new byte[] {'f'})
                .setQualifier(new byte[] {'q', 0})
                .setTimestamp(1)
                .setType(org.apache.hadoop.hbase.Cell.Type.Put)
                .setValue(new byte[] {'v'})
                .build()));
  }

  private static IOException refusal() {
    return new DoNotRetryIOException("dropped and created again");
  }

  /** Fault 82: who reads in vain can give up. */
  @Test
  void aScanThatFindsNothingSaysThatItGoesOn() {
    answers.add(Result.createCursorResult(ClientUtil.createCursor(new byte[] {97})));
    answers.add(row("b"));
    List<Long> reports = new ArrayList<>();
    RowCells found = ReadProgress.during(reports::add, () -> scanner().next());
    assertThat(found).isNotNull();
    assertThat(reports).containsExactly(0L);
  }

  @Test
  void itBeginsAgainWhenTheTableIsAnotherOne() {
    answers.add(refusal());
    answers.add(row("a"));

    RowCells found = scanner().next();

    assertThat(found).extracting(RowCells::row).isEqualTo(Row.of("t", "a"));
    assertThat(done).containsExactly("open", "again", "close", "open");
  }

  @Test
  void whatGaveSomethingOutDoesNotBeginAgain() {
    answers.add(row("a"));
    answers.add(refusal());
    TableScanner scanner = scanner();
    scanner.next();

    assertThatThrownBy(scanner::next)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("dropped and created again");
    assertThat(done).containsExactly("open");
  }

  /** HBase disables a table before it deletes it: who scans all tables must not fail of it. */
  @Test
  void aTableThatIsBeingDroppedIsWaitedForUntilItIsGone() {
    answers.add(new TableNotEnabledException("braid:t"));
    answers.add(new TableNotEnabledException("braid:t"));
    answers.add(new TableNotFoundException("braid:t"));
    again = false;

    assertThatThrownBy(scanner()::next).isInstanceOf(UnknownTableException.class);
  }

  @Test
  void aScanThatHasGivenRowsOfATableThatIsBeingDroppedMayBeTriedAgain() {
    answers.add(row("a"));
    answers.add(new TableNotEnabledException("braid:t"));
    TableScanner scanner = scanner();
    scanner.next();

    assertThatThrownBy(scanner::next)
        .isInstanceOf(TabletUnavailableException.class)
        .hasMessageContaining("is being dropped, or is disabled: try again later");
  }

  @Test
  void aRefusalOfTheSameTableIsTold() {
    again = false;
    answers.add(refusal());

    assertThatThrownBy(scanner()::next).hasMessageContaining("dropped and created again");
  }
}
