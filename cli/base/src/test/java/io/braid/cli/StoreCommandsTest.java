package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import io.braid.core.data.Bytes;
import io.braid.serving.build.TupleMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid store}: from a table or a file to a live version, and back. */
class StoreCommandsTest {
  @TempDir Path dir;

  private CommandRun run(String line) {
    return CommandRun.of(line.replace("DIR", dir.toString()));
  }

  private CommandRun done(String line) {
    CommandRun run = run(line);
    assertThat(run.code()).as(line + "\n" + run.err()).isEqualTo(ExitCode.DONE);
    return run;
  }

  @Test
  void aFileBecomesALiveVersionAndIsRolledBack() throws IOException {
    Files.writeString(
        dir.resolve("people.csv"),
        "id,name,town\r\n1,Ada,London\r\n2,\"Grace, Rear\",New York\r\n");
    Files.writeString(
        dir.resolve("people.jsonl"), "{\"id\":1,\"name\":\"Ada L\"}\n\n{\"id\":3,\"name\":[1]}\n");
    done("store build people --input DIR/people.csv --key id --out DIR/one");
    done("store build people --input DIR/people.jsonl --key id --value name --out DIR/two");
    done("store fetch people DIR/one/node-0 --node DIR/node");
    assertThat(run("store get people 1 --node DIR/node").err()).contains("no live version");
    done("store swap people --node DIR/node");
    assertThat(done("store get people 2 --node DIR/node").out())
        .isEqualToIgnoringNewLines("{\"name\":\"Grace, Rear\",\"town\":\"New York\"}");
    done("store fetch people DIR/two/node-0 --node DIR/node");
    done("store swap people --node DIR/node");
    assertThat(done("store get people 1 3 --node DIR/node --json").out().lines())
        .containsExactly(
            "{\"key\":\"1\",\"value\":\"Ada L\",\"version\":2}",
            "{\"key\":\"3\",\"value\":\"[1]\",\"version\":2}");
    assertThat(run("store get people 2 --node DIR/node").code()).isEqualTo(ExitCode.FAILED);
    assertThat(done("store versions people --node DIR/node").out())
        .contains("1  backup  2 keys", "2  live  2 keys");
    done("store pin people 2 --node DIR/node");
    assertThat(done("store rollback people --node DIR/node --json").out()).contains("\"live\":1");
    assertThat(done("store get people 2 --node DIR/node").out()).contains("Grace");
    assertThat(done("store versions people --node DIR/node").out())
        .contains("1  live", "2  rolled back (rolled back to version 1), pinned");
    CommandRun again = run("store swap people --node DIR/node");
    assertThat(again.code()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains("nothing newer but what was rolled back, [2]");
    assertThat(run("store swap people 2 --node DIR/node").err()).contains("was rolled back");
    assertThat(done("store get people 2 --node DIR/node").out()).contains("Grace");
    assertThat(done("store verify people --node DIR/node").out()).contains("is right: 2 tuples");
    assertThat(run("store rollback people --node DIR/node").err()).contains("no earlier version");
  }

  @Test
  void aTableIsPublishedAsOfOneSnapshot() {
    done("table create accounts balance --data DIR/data");
    done("set accounts bob balance:usd 10 --data DIR/data");
    done("set accounts eve balance:usd 7 --data DIR/data");
    String build = "store build balances --table accounts --data DIR/data --columns balance:usd";
    assertThat(done(build + " --out DIR/out --index sorted").out()).contains("2 keys");
    done("store fetch balances DIR/out/node-0 --node DIR/node");
    done("store swap balances --node DIR/node");
    assertThat(done("store get balances bob --node DIR/node").out()).startsWith("10");
    assertThat(done("store versions balances --node DIR/node --json").out())
        .contains("\"snapshot\":");
    assertThat(run(build + ",balance:eur --out DIR/out").err()).contains("not empty");
  }

  /** Keys by the first letter of a name; nobody without one. */
  public static final class ByInitial implements TupleMapper {
    @Override
    public @Nullable Bytes makeKey(Bytes key, Bytes value) {
      String name = value.toUtf8();
      if (name.equals("boom")) {
        throw new IllegalStateException("no such name");
      }
      return name.isEmpty() ? null : Bytes.of(name.substring(0, 1));
    }

    @Override
    public Bytes makeValue(Bytes key, Bytes value) {
      return key;
    }
  }

  /** Section 4.2.1: what is stored is what makeKey and makeValue say. */
  @Test
  void aMapperMakesKeysAndValues() throws IOException {
    Files.writeString(dir.resolve("people.csv"), "id,name\n1,Ada\n2,Grace\n3,\n4,Alan\n");
    String build =
        "store build people --input DIR/people.csv --key id --value name --duplicates reduce"
            + " --mapper ";
    assertThat(done(build + ByInitial.class.getName() + " --out DIR/out").out()).contains("2 keys");
    done("store fetch people DIR/out/node-0 --node DIR/node");
    done("store swap people --node DIR/node");
    assertThat(done("store get people A --node DIR/node").out()).contains("1", "4");
    assertThat(done("store get people G --node DIR/node").out()).startsWith("2");
    Files.writeString(dir.resolve("people.csv"), "id,name\n1,Ada\n7,boom\n");
    CommandRun failed = run(build + ByInitial.class.getName() + " --out DIR/failed");
    assertThat(failed.code()).isEqualTo(ExitCode.FAILED);
    assertThat(failed.err()).contains("ByInitial", "key 7", "no such name");
    assertThat(dir.resolve("failed/node-0")).doesNotExist();
    CommandRun nobody = run(build + "nobody.Mapper --out DIR/failed");
    assertThat(nobody.code()).isEqualTo(ExitCode.USAGE);
    assertThat(nobody.err())
        .contains("no class nobody.Mapper", "META-INF/services/io.braid.serving.build.TupleMapper");
    assertThat(run(build + "java.lang.String --out DIR/failed").err())
        .contains("does not implement io.braid.serving.build.TupleMapper");
  }

  /** Whoever reads on the machine meanwhile is not to notice that a version is read through. */
  @Test
  void aVersionIsReadThroughNoFasterThanAsked() throws IOException {
    int bytes = 3 << 19;
    Files.writeString(
        dir.resolve("one.jsonl"), "{\"id\":1,\"value\":\"" + "x".repeat(bytes) + "\"}\n");
    done("store build people --input DIR/one.jsonl --key id --value value --out DIR/one");
    done("store fetch people DIR/one/node-0 --node DIR/node");
    long begun = System.nanoTime();
    done("store swap people --node DIR/node --rate 1");
    // A MiB takes a second, but for the little that may be made up for at once.
    assertThat(System.nanoTime() - begun).isGreaterThan(1_400_000_000L);
    assertThat(done("store versions people --node DIR/node").out()).contains("1  live");
  }

  @Test
  void numbersStayAsTheyAreWrittenAndAMarkIsNoPartOfAName() throws IOException {
    Files.writeString(
        dir.resolve("n.jsonl"),
        "\uFEFF{\"id\":1,\"a\":0.12345678901234567890123,\"b\":1.10}\n  \n{\"id\":2,\"b\":1e400}\n");
    Files.writeString(dir.resolve("n.csv"), "\uFEFFid,a\r\n1,2\r\n");
    for (String kind : List.of("jsonl", "csv")) {
      done("store build " + kind + " --input DIR/n." + kind + " --key id --out DIR/" + kind);
      done("store fetch " + kind + " DIR/" + kind + "/node-0 --node DIR/node");
      done("store swap " + kind + " --node DIR/node");
    }
    assertThat(done("store get jsonl 1 2 --node DIR/node").out().lines())
        .containsExactly("{\"a\":0.12345678901234567890123,\"b\":1.10}", "{\"b\":1E+400}");
    assertThat(done("store get csv 1 --node DIR/node").out()).contains("{\"a\":\"2\"}");
  }

  /** Faults 43 and 51: bad input is refused with a line that says where it is. */
  @Test
  void badInputIsRefusedBeforeAnythingIsThere() throws IOException {
    Files.writeString(dir.resolve("bad.csv"), "id,name\n1,a\n2\n");
    Files.writeString(dir.resolve("bad.jsonl"), "{\"id\":1}\n{\"id\":\n");
    Files.writeString(dir.resolve("twice.jsonl"), "{\"id\":1}\n{\"id\":1}\n");
    Files.writeString(dir.resolve("empty.csv"), "id,name\n");
    refused("--input DIR/bad.csv --key id", ExitCode.FAILED, "record 2, at byte 12");
    refused("--input DIR/bad.csv --key nix", ExitCode.USAGE, "has no field 'nix'");
    refused("--input DIR/bad.jsonl --key id", ExitCode.FAILED, "record 2, at byte 9");
    refused("--input DIR/twice.jsonl --key id", ExitCode.FAILED, "Key 1 comes more than once");
    refused("--input DIR/empty.csv --key id", ExitCode.FAILED, "at least 1");
    Files.write(dir.resolve("latin.csv"), new byte[] {'i', 'd', '\n', (byte) 0xe9, '\n'});
    refused("--input DIR/latin.csv --key id", ExitCode.FAILED, "not UTF-8");
    Files.writeString(dir.resolve("half.jsonl"), "{\"id\":1,\"a\":\"\\ud800\"}\n");
    refused("--input DIR/half.jsonl --key id", ExitCode.FAILED, "half of a surrogate pair");
    Files.writeString(dir.resolve("names.csv"), "id,a,a\n1,2,3\n");
    refused("--input DIR/names.csv --key id", ExitCode.USAGE, "has a field twice");
    refused("--input DIR/none.csv", ExitCode.USAGE, "There is no file");
    refused("--input DIR/x.pdf", ExitCode.USAGE, "is neither .csv nor .jsonl");
    refused("--key id", ExitCode.USAGE, "either --table or --input");
    assertThat(run("store swap ../etc --node DIR/node").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("store versions people --node DIR/none").err())
        .contains("There is no directory");
  }

  private void refused(String options, int code, String says) {
    CommandRun run = run("store build people --out DIR/refused " + options);
    assertThat(run.err()).contains(says);
    assertThat(run.code()).isEqualTo(code);
    assertThat(dir.resolve("refused").resolve("node-0")).doesNotExist();
  }
}
