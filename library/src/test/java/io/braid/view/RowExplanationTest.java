package io.braid.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import io.braid.testkit.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told of a row that has more in it than committed versions. */
class RowExplanationTest {
  private static final Column<String> NAME = Column.of("f", "name", Codecs.utf8());

  @ParameterizedTest
  @EnumSource(Protocol.class)
  @Timeout(60)
  void theLeaderOfAGroupTellsWhoHoldsItAndHowFarTheStoreHasCome(Protocol protocol) {
    Row leader = Row.of("players", "ann");
    Row member = Row.of("players", "bob");
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      db.ensureTable("players", protocol, "f");
      Group group =
          db.groups()
              .create(GroupRequest.of(List.of(leader, member)).ledBy(leader).named("table-1"));
      group.update(tx -> tx.set(leader, NAME, "Ann"));
      group.ship();
      RowExplanation told = settled(db, leader);
      assertThat(told.facts())
          .anySatisfy(
              fact -> {
                assertThat(fact.kind()).isEqualTo(RowExplanation.Kind.HOLD);
                assertThat(fact.words()).contains("table-1");
              })
          .anySatisfy(
              fact -> {
                assertThat(fact.kind()).isEqualTo(RowExplanation.Kind.ACKNOWLEDGMENT);
                assertThat(fact.column()).isEmpty();
                assertThat(fact.words()).startsWith("commits of group ").endsWith("position 1");
              });
      List<String> ofName =
          RowExplanation.of(db, leader, Optional.of(NAME.name()), 3).facts().stream()
              .filter(fact -> fact.kind() == RowExplanation.Kind.VERSION)
              .map(RowExplanation.Fact::column)
              .toList();
      assertThat(ofName).containsExactly("f:name");
    }
  }

  /** Omid's cells become records after the commit was answered. */
  private static RowExplanation settled(Braid db, Row row) {
    RowExplanation told = RowExplanation.of(db, row, Optional.empty(), 3);
    while (told.facts().stream().anyMatch(f -> f.kind() == RowExplanation.Kind.INTENT)) {
      told = RowExplanation.of(db, row, Optional.empty(), 3);
    }
    return told;
  }
}
