package io.braid.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.gateway.access.Allowance;
import io.braid.gateway.access.Grant;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.groups.GroupException;
import io.braid.groups.GroupRequest;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Fault 57: a group that is deleted, and made anew of rows of another table, while it is looked at
 * who may use it.
 */
class GroupRoutesTest {
  private static final Row OPEN = Row.of("open", "r");
  private static final Row SECRET = Row.of("secrets", "s");

  private final Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
  private final GroupRoutes routes = new GroupRoutes(db, new OperationReader(10, 10), 10);
  private final AtomicBoolean made = new AtomicBoolean();

  /** May write one of the tables; just then somebody makes the group anew. */
  private final Identity eve =
      new Identity(
          "eve", List.of(new Grant(Role.WRITE, "open")), Allowance.USUAL, need -> makeAnew());

  @BeforeEach
  void make() {
    db.ensureTable("open", "f");
    db.ensureTable("secrets", "f");
    create(OPEN);
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void create(Row row) {
    db.groups().create(GroupRequest.of(List.of(row)).named("g")).detach();
  }

  private void makeAnew() {
    if (!made.getAndSet(true)) {
      db.groups().delete("g");
      create(SECRET);
    }
  }

  /** What is answered, or why nothing is. */
  private String ask(String method, String path) throws IOException {
    Route route =
        routes.all().stream()
            .filter(each -> each.method().equals(method) && each.path().equals(path))
            .findFirst()
            .orElseThrow();
    Request.Parts parts = new Request.Parts(Map.of("group", "g"), Map.of(), Json::object);
    try {
      return route.handler().answer(new Request(eve, route, parts)).toString();
    } catch (HttpRefusal | GroupException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void assertMadeAnewAndThere() {
    assertThat(made).isTrue();
    assertThat(db.groups().membersOf("g")).containsExactly(SECRET);
  }

  @Test
  void isNotDeletedByWhoMayNotUseIt() throws IOException {
    ask("DELETE", "/v1/groups/{group}");
    assertMadeAnewAndThere();
    assertThat(ask("DELETE", "/v1/groups/{group}")).contains("does not exist");
    assertMadeAnewAndThere();
  }

  @Test
  void isNotShown() throws IOException {
    assertThat(ask("GET", "/v1/groups/{group}")).contains("\"r\"").doesNotContain("secrets");
    assertMadeAnewAndThere();
  }

  @Test
  void isNotShipped() throws IOException {
    assertThat(ask("POST", "/v1/groups/{group}/ship")).doesNotContain("secrets");
    assertMadeAnewAndThere();
  }

  @Test
  void isNotUsedByAScript() {
    assertThatThrownBy(() -> routes.run(eve, "g", List.of(read(SECRET))))
        .isInstanceOf(HttpRefusal.class)
        .hasMessageContaining("needs the role read on secrets");
    assertMadeAnewAndThere();
    assertThatThrownBy(() -> routes.run(eve, "g", List.of(read(OPEN))))
        .hasMessageContaining("does not exist");
  }

  private static Operation read(Row row) {
    return new Operation.Get(row, List.of(Column.of("f", "q", Codecs.bytes())));
  }
}
