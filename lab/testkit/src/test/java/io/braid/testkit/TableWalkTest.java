package io.braid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableWalk;
import io.braid.core.store.UnknownTableException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who walks through all tables is not disturbed by those that others drop meanwhile. */
class TableWalkTest {
  private static final TableSchema KEPT = Families.transactional("a", List.of("f"));
  private static final TableSchema DROPPED = Families.transactional("b", List.of("f"));

  /** Right after its tables were listed, one of them is dropped, and made anew if asked to. */
  private static final class Dropping extends ForwardingStore {
    private final boolean anew;

    Dropping(boolean anew) {
      super(new MemoryStore());
      this.anew = anew;
      store.ensureTable(KEPT);
      store.ensureTable(DROPPED);
    }

    @Override
    public List<TableSchema> tables() {
      List<TableSchema> tables = super.tables();
      store.dropTable(DROPPED.name());
      return tables;
    }

    @Override
    public long birth(String table) {
      try {
        return super.birth(table);
      } catch (UnknownTableException e) {
        if (anew) {
          store.ensureTable(DROPPED);
        }
        throw e;
      }
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Test
  void othersAreKnownWhenATableIsDropped() {
    try (Dropping store = new Dropping(false)) {
      assertThat(new TableCatalog(store).view()).containsOnlyKeys("a");
    }
  }

  @Test
  void aTableThatIsMadeAnewIsVisitedAnew() {
    try (Dropping store = new Dropping(true)) {
      assertThat(new TableCatalog(store).view()).containsOnlyKeys("a", "b");
    }
  }

  @Test
  void whatIsMissingForAnotherReasonIsTold() {
    try (MemoryStore store = new MemoryStore()) {
      store.ensureTable(KEPT);
      List<String> visited = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  TableWalk.each(
                      store,
                      schema -> {
                        visited.add(schema.name());
                        throw new UnknownTableException("There is no table c.");
                      }))
          .hasMessage("There is no table c.");
      assertThat(visited).containsOnly("a").hasSizeLessThan(20);
    }
  }
}
