package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.cli.command.ExitCode;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The verbs of indexes and of a table's protocol. */
class IndexCommandsTest {
  private static final Column<String> CITY = Column.of("f", "city", Codecs.utf8());
  private static final Column<String> MAIL = Column.of("f", "mail", Codecs.utf8());

  @TempDir Path dir;

  private CommandRun onData(String line) {
    return CommandRun.of(line + " --data " + dir);
  }

  private void people(Protocol protocol) {
    try (Braid db = Braid.open(dir)) {
      db.ensureTable("people", protocol, "f");
      set(db, "ann", "Ulm", "a");
      set(db, "bob", "Bern", "b");
      set(db, "cid", "Ulm", "c");
    }
  }

  private static void set(Braid db, String key, String city, String mail) {
    Row row = Row.of("people", key);
    db.run(
        tx -> {
          tx.set(row, CITY, city);
          tx.set(row, MAIL, mail);
          return key;
        });
  }

  @ParameterizedTest
  @EnumSource
  void anIndexIsCreatedAskedListedAndDropped(Protocol protocol) {
    people(protocol);
    String before = onData("set people dan f:city Rom --json").out().replaceAll("\\D", "");

    CommandRun create = onData("index create people f:city --json");
    assertThat(create.code()).isEqualTo(ExitCode.DONE);
    assertThat(create.out())
        .contains("\"index\":\"people.f.city\"", "\"ready\":true", "\"unique\":false");
    assertThat(onData("index list").out().strip()).isEqualTo("people.f.city  people f:city");

    assertThat(onData("index find people f:city Ulm").out().lines())
        .containsExactly("people/ann", "people/cid");
    onData("set people cid f:city Wien --fast");
    onData("delete people ann f:city");
    CommandRun none = onData("index find people f:city Ulm");
    assertThat(none.code()).isEqualTo(ExitCode.FAILED);
    assertThat(none.out()).isEmpty();
    assertThat(onData("index find people f:city --from C --to X --json").out().lines())
        .containsExactly("{\"row\":\"people/dan\"}", "{\"row\":\"people/cid\"}");
    assertThat(onData("index find people f:city --limit 1").out().strip()).isEqualTo("people/bob");

    CommandRun past = onData("index find people f:city Ulm --at " + before);
    assertThat(past.code()).as("it does not know what was before it").isEqualTo(ExitCode.USAGE);
    assertThat(past.err()).contains("people.f.city begins at", "created after", "scan the table");

    assertThat(onData("index drop people.f.city --json").out())
        .contains("\"dropped\":\"people.f.city\"");
    assertThat(onData("index drop people.f.city").code()).isEqualTo(ExitCode.FAILED);
    assertThat(onData("index find people f:city Ulm").err()).contains("has no index");
  }

  @Test
  void aUniqueIndexRefusesTheSecond() {
    people(Protocol.PERCOLATOR);
    CommandRun twice = onData("index create people f:city --unique --name cities");
    assertThat(twice.code()).isEqualTo(ExitCode.FAILED);
    assertThat(twice.err()).contains("cities is unique", "Ulm");
    assertThat(onData("index list").out()).as("nothing is left").isEmpty();

    assertThat(onData("index create people f:mail --unique --name mails").code())
        .isEqualTo(ExitCode.DONE);
    CommandRun second = onData("set people dan f:mail b");
    assertThat(second.code()).isEqualTo(ExitCode.FAILED);
    assertThat(second.err()).contains("mails is unique", "people/bob");
    assertThat(onData("set people dan f:mail b --fast").code()).isEqualTo(ExitCode.FAILED);
    assertThat(onData("index list").out()).contains("mails  people f:mail  unique");
  }

  @Test
  void aLocalIndexStandsInItsTable() {
    people(Protocol.OMID);
    CommandRun create = onData("index create people f:city --local --json");
    assertThat(create.code()).isEqualTo(ExitCode.DONE);
    assertThat(create.out()).contains("\"kind\":\"local\"", "\"ready\":true");
    assertThat(onData("index list").out().strip()).isEqualTo("people.f.city  people f:city  local");
    onData("set people dan f:city Rom");
    onData("delete people ann f:city");

    assertThat(onData("index find people f:city Ulm").out().lines()).containsExactly("people/cid");
    assertThat(onData("index find people f:city --from B --to S").out().lines())
        .containsExactly("people/bob", "people/dan");
    assertThat(onData("table list").out().lines()).as("no table of its own").hasSize(1);
    assertThat(onData("scan people").out()).doesNotContain("~");
    assertThat(onData("set people dan ~index:a 1").code()).isEqualTo(ExitCode.USAGE);
    CommandRun unique = onData("index create people f:mail --local --unique");
    assertThat(unique.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unique.err()).contains("cannot be unique");
    assertThat(onData("index follow people.f.city").out()).contains("is in the tablets");
    assertThat(onData("index follow none").code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("index drop people.f.city").code()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void wrongUsesAreRefused() {
    people(Protocol.OMID);
    assertThat(onData("index create people g:city").err()).contains("no family g");
    assertThat(onData("index create people city").err()).contains("FAMILY:QUALIFIER");
    assertThat(onData("index create people f:city --name people").err())
        .contains("choose another name");
    onData("index create people f:city --name x");
    assertThat(onData("index create people f:mail --name x").err()).contains("another index x");
    assertThat(onData("index find people f:city Ulm --from A").code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("set x k f:a 1").err()).contains("is an index");
    assertThat(onData("table drop x").err()).contains("drop the index");
    assertThat(onData("table protocol x percolator").err()).contains("is an index");
  }

  @Test
  void aTableChangesItsProtocolWithItsIndexes() {
    people(Protocol.PERCOLATOR);
    onData("index create people f:city --name cities");

    CommandRun to = onData("table protocol people omid --json");
    assertThat(to.code()).isEqualTo(ExitCode.DONE);
    assertThat(to.out()).contains("\"protocol\":\"omid\"", "\"table\":\"people\"");
    assertThat(onData("table list").out().lines())
        .allSatisfy(line -> assertThat(line).endsWith("omid"))
        .hasSize(2);
    onData("set people dan f:city Ulm");
    assertThat(onData("index find people f:city Ulm").out().lines()).hasSize(3);
    assertThat(onData("table protocol people percolator").out())
        .contains("Table people is bound to percolator.");
    assertThat(onData("get people dan").out()).contains("f:city = Ulm");

    assertThat(onData("table protocol people other").code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("table protocol nobody omid").code()).isEqualTo(ExitCode.FAILED);
  }
}
