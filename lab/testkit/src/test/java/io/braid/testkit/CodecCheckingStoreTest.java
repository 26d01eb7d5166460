package io.braid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CodecCheckingStoreTest {
  private static final Codec<String> FORGETFUL = Codecs.of(text -> Bytes.of("x"), Bytes::toUtf8);
  private static final Codec<String> GROWING =
      Codecs.of(text -> Bytes.of(text + "!"), Bytes::toUtf8);

  private final CellStore store = new CodecCheckingStore(new MemoryStore());

  @BeforeEach
  void createTable() {
    store.ensureTable(new TableSchema("t", List.of(new FamilySchema("f", Kind.DATA))));
  }

  /** Answers with its argument; the argument is the key of its row. */
  private record Echo(String name, Codec<String> argumentCodec, Codec<String> resultCodec)
      implements Procedure<String, String> {
    @Override
    public List<Row> rows(String argument) {
      return List.of(Row.of("t", argument));
    }

    @Override
    public String run(RowAccess rows, String argument) {
      return argument;
    }
  }

  @Test
  void goodCodecsPass() {
    Echo echo = new Echo("echo", Codecs.utf8(), Codecs.utf8());

    assertThat(store.execute(echo, List.of("a", "b"), Durability.BUFFERED))
        .containsExactly(Outcome.done("a"), Outcome.done("b"));
  }

  @Test
  void argumentThatNamesOtherRowsAfterItsCodecIsFound() {
    Echo echo = new Echo("echo", FORGETFUL, Codecs.utf8());

    assertThatThrownBy(() -> store.execute(echo, "a", Durability.BUFFERED))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a became x");
  }

  @Test
  void resultThatChangesInItsCodecIsFound() {
    Echo echo = new Echo("echo", Codecs.utf8(), GROWING);

    assertThatThrownBy(() -> store.execute(echo, "a", Durability.BUFFERED))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("echo");
  }

  @Test
  void procedureThatTakesTheNameOfAnotherIsFound() {
    store.execute(new Echo("echo", Codecs.utf8(), Codecs.utf8()), "a", Durability.BUFFERED);
    Procedure<String, String> other =
        new Procedure<>() {
          @Override
          public String name() {
            return "echo";
          }

          @Override
          public List<Row> rows(String argument) {
            return List.of(Row.of("t", argument));
          }

          @Override
          public String run(RowAccess rows, String argument) {
            return argument;
          }

          @Override
          public Codec<String> argumentCodec() {
            return Codecs.utf8();
          }

          @Override
          public Codec<String> resultCodec() {
            return Codecs.utf8();
          }
        };

    assertThatThrownBy(() -> store.execute(other, "a", Durability.BUFFERED))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("share the name echo");
  }
}
