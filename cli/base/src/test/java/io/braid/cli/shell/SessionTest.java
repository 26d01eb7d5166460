package io.braid.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
  private static final Row ROW = Row.of("t", "r");
  private static final Column<String> A = Column.of("f", "a", Codecs.utf8());

  @TempDir Path dir;

  /** Shows nothing. */
  private static final class Silent implements View {
    @Override
    public void say(Map<String, ?> object, String text) {}

    @Override
    public void remark(String text) {}

    @Override
    public void rows(List<RowValues> rows) {}

    @Override
    public void listing(List<String> header, List<List<String>> lines) {}
  }

  /** Fault 73. */
  @Test
  void aTransactionOfWhichAStatementFailedCanOnlyBeGivenUp() throws Exception {
    try (Braid db = Braid.open(dir);
        Session session = new Session(db, new Silent())) {
      db.ensureTable("t", "f");
      session.begin();
      assertThatThrownBy(
              () ->
                  session.write(
                      tx -> {
                        tx.set(ROW, A, "half");
                        throw new IllegalArgumentException("The other half is wrong.");
                      }))
          .isInstanceOf(IllegalArgumentException.class);
      session.write(tx -> tx.set(ROW, A, "more"));
      assertThatThrownBy(() -> new Verbs().run(session, Statement.parse("commit")))
          .hasMessageContaining("give it up with 'rollback'");
      new Verbs().run(session, Statement.parse("rollback"));
      assertThat(session.read(Optional.empty(), (Snapshot reads) -> reads.get(ROW, A))).isEmpty();
    }
  }
}
