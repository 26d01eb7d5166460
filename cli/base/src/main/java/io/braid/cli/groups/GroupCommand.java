package io.braid.cli.groups;

import io.braid.cli.command.Amount;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.groups.Group;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.log.LogEntry;
import io.braid.groups.node.RemoteGroups;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.rows.GroupState;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Key groups. */
@Command(
    name = "group",
    description = {
      "Key groups: rows that one process owns for a while.",
      "A group that is left open stays: the next command goes on with it. Nobody else can write its"
          + " rows until it is deleted, or it was not used for as long as groups.lease says."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid group create table-7 players/alice players/bob",
      "  braid group set table-7 players/alice balance:chips 95 players/bob balance:chips 105",
      "  braid group get table-7 players/alice balance:chips",
      "  braid group list",
      "  braid group delete table-7",
      "  braid group list --at 127.0.0.1:9420"
    })
public final class GroupCommand {
  private static final String ROW = "TABLE/KEY";

  @Command(
      name = "create",
      description = "Creates a group of rows; the first one is its leader key.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid group create table-7 players/alice players/bob",
        "  braid group create table-8 --best-effort --leader players/eve players/eve players/bob"
      })
  int create(
      @Parameters(index = "0", paramLabel = "NAME", description = "What to call it.") String name,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = ROW, description = "Its rows.")
          List<String> rows,
      @Option(
              names = "--best-effort",
              description = "Create it of the rows that can be had, and name the others.")
          boolean bestEffort,
      @Option(names = "--leader", paramLabel = ROW, description = "Another leader key.")
          @Nullable String leader,
      @Mixin GroupsOptions place,
      @Mixin OutputOptions output) {
    GroupRequest request =
        GroupRequest.of(rows.stream().map(GroupCommand::row).toList()).named(name);
    if (leader != null) {
      request = request.ledBy(row(leader));
    }
    if (bestEffort) {
      request = request.bestEffort();
    }
    GroupRequest wanted = request;
    return place.with(
        groups -> {
          Group group = groups.create(wanted);
          group.detach();
          Map<String, Object> object = object(group.info());
          object.put(
              "not_joined", group.notJoined().stream().map(GroupCommand::notJoined).toList());
          StringBuilder text = new StringBuilder(text(group.info()));
          group.notJoined().forEach(each -> text.append("\n  did not join: ").append(each));
          output.print(object, text.toString());
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "list",
      description = "Lists groups, as their leaders know them.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid group list --json")
  int list(@Mixin GroupsOptions place, @Mixin OutputOptions output) {
    return place.with(
        groups -> {
          groups.list().forEach(info -> output.print(object(info), text(info)));
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "show",
      description = "Shows a group and its rows.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid group show table-7")
  int show(
      @Parameters(paramLabel = "NAME", description = "The group.") String name,
      @Mixin GroupsOptions place,
      @Mixin OutputOptions output) {
    return place.with(
        groups -> {
          Optional<GroupInfo> info = groups.find(name);
          if (info.isEmpty()) {
            throw new GroupGoneException(name, "does not exist");
          }
          List<Row> members = groups.membersOf(name);
          Map<String, Object> object = object(info.get());
          object.put("rows", members.stream().map(GroupCommand::text).toList());
          StringBuilder text = new StringBuilder(text(info.get()));
          members.forEach(row -> text.append("\n  ").append(text(row)));
          output.print(object, text.toString());
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "get",
      description = "Prints the newest value of a column of a row of a group.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid group get table-7 players/alice balance:chips")
  int get(
      @Parameters(index = "0", paramLabel = "NAME", description = "The group.") String name,
      @Parameters(index = "1", paramLabel = ROW, description = "The row.") String row,
      @Parameters(index = "2", paramLabel = "COLUMN", description = "The column.") String column,
      @Mixin GroupsOptions place,
      @Mixin OutputOptions output) {
    return place.with(
        groups -> {
          Group group = groups.open(name);
          Optional<String> value = group.read(row(row), column(column));
          group.detach();
          if (value.isEmpty()) {
            return output.refused(ErrorCode.NO_SUCH_VALUE, row + " has no " + column + ".");
          }
          output.print(Map.of("row", row, "column", column, "value", value.get()), value.get());
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "set",
      description = "Writes columns of rows of a group, all in one transaction.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid group set table-7 players/alice balance:chips 95")
  int set(
      @Parameters(index = "0", paramLabel = "NAME", description = "The group.") String name,
      @Parameters(
              index = "1..*",
              arity = "3..*",
              paramLabel = "TABLE/KEY COLUMN VALUE...",
              hideParamSyntax = true,
              description = "What to write: a row, a column and a value, as often as needed.")
          List<String> writes,
      @Mixin GroupsOptions place,
      @Mixin OutputOptions output) {
    if (writes.size() % 3 != 0) {
      throw new UsageException("Writes come in threes: a row, a column and a value.");
    }
    return place.with(
        groups -> {
          Group group = groups.open(name);
          long position =
              group.update(
                  tx -> {
                    for (int i = 0; i < writes.size(); i += 3) {
                      tx.set(row(writes.get(i)), column(writes.get(i + 1)), writes.get(i + 2));
                    }
                  });
          group.detach();
          output.print(
              Map.of("group", name, "position", position),
              "Commit " + position + " of group " + name + ".");
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "pending",
      description = {
        "Shows what a group has committed and is not in the store yet, oldest first.",
        "So nothing is lost unseen when a group is given up that the store refuses commits of."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid group pending table-7 --json > table-7.lost")
  int pending(
      @Parameters(paramLabel = "NAME", description = "The group.") String name,
      @Mixin GroupsOptions place,
      @Mixin OutputOptions output) {
    return place.with(
        groups -> {
          List<LogEntry> some = groups.pending(name, 0);
          while (!some.isEmpty()) {
            some.forEach(entry -> entry.writes().forEach(each -> print(name, entry, each, output)));
            some = groups.pending(name, some.get(some.size() - 1).position());
          }
          return ExitCode.DONE;
        });
  }

  private static void print(
      String group, LogEntry entry, LogEntry.Write write, OutputOptions output) {
    String row = text(write.row());
    String column = Columns.show(write.column());
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("group", group);
    object.put("position", entry.position());
    object.put("row", row);
    object.put("column", column);
    Bytes value = write.value();
    String shown = value == null ? "" : ByteText.show(value);
    object.put(value == null ? "deleted" : "value", value == null ? true : shown);
    output.print(
        object,
        "Commit "
            + entry.position()
            + "  "
            + row
            + " "
            + column
            + (value == null ? " deleted" : " = " + shown));
  }

  @Command(
      name = "delete",
      description = {
        "Deletes a group: all its commits are in the store then, its rows are free.",
        "A group that is being formed is not formed then."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  braid group delete table-7", "  braid group delete table-7 --force"})
  int delete(
      @Parameters(paramLabel = "NAME", description = "The group.") String name,
      @Option(
              names = "--force",
              description =
                  "Give it up if it cannot be ended otherwise, since a table of its rows is gone"
                      + " perhaps: commits that are not in the store are lost. 'braid group"
                      + " pending' shows them.")
          boolean force,
      @Mixin GroupsOptions place,
      @Mixin OutputOptions output) {
    return place.with(
        groups -> {
          if (force) {
            groups.giveUp(
                groups
                    .find(name)
                    .orElseThrow(() -> new GroupGoneException(name, "does not exist")));
          } else {
            groups.delete(name);
          }
          output.print(Map.of("deleted", name), "Group " + name + " is gone.");
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "hand-over",
      description = {
        "Makes another group node the leader of a group, which is not dissolved.",
        "Its clients go on there; what they had begun and not committed is begun again."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid group hand-over table-7 node-b --at 127.0.0.1:9420")
  int handOver(
      @Parameters(index = "0", paramLabel = "NAME", description = "The group.") String name,
      @Parameters(index = "1", paramLabel = "NODE", description = "The node's name.") String node,
      @Mixin GroupsOptions place,
      @Mixin OutputOptions output) {
    return place.with(
        groups -> {
          groups.handOver(name, node);
          output.print(
              Map.of("group", name, "node", node), "Group " + name + " is led by " + node + ".");
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "nodes",
      description = "Lists the group nodes that are alive.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid group nodes --at 127.0.0.1:9420")
  int nodes(@Mixin GroupsOptions place, @Mixin OutputOptions output) {
    return place.withNodes(
        groups -> {
          groups
              .nodes()
              .forEach(
                  node ->
                      output.print(
                          Map.of("node", node.name(), "address", node.address()),
                          node.name() + "  " + node.address()));
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "sweep",
      description = {
        "Frees rows that are held by groups that are gone: ghosts, left by calls that came late.",
        "It is done every few minutes anyway."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  braid group sweep", "  braid group sweep --at 127.0.0.1:9420"})
  int sweep(@Mixin GroupsOptions place, @Mixin OutputOptions output) {
    int freed = place.either(db -> db.operations().sweepGhosts(), RemoteGroups::sweepGhosts);
    output.print(Map.of("freed", freed), Amount.of(freed, "row") + " freed.");
    return ExitCode.DONE;
  }

  private static Row row(String text) {
    int slash = text.indexOf('/');
    if (slash < 1 || slash == text.length() - 1) {
      throw new UsageException("'" + text + "' is no row: write it as TABLE/KEY.");
    }
    return Row.of(text.substring(0, slash), ByteText.parse(text.substring(slash + 1)));
  }

  private static Column<String> column(String text) {
    return Columns.parse(text);
  }

  private static String text(Row row) {
    return Columns.show(row);
  }

  private static Map<String, String> notJoined(JoinRefusal each) {
    return Map.of("row", text(each.key()), "why", each.why());
  }

  private static Map<String, Object> object(GroupInfo info) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("group", info.name());
    object.put("number", OutputOptions.timestamp(info.number()));
    object.put("state", info.state().name().toLowerCase(Locale.ROOT));
    object.put("leader", text(info.leader()));
    object.put("members", info.members());
    object.put("epoch", info.epoch());
    object.put("here", info.here());
    if (!info.node().isEmpty()) {
      object.put("node", info.node());
    }
    object.put("created", Instant.ofEpochMilli(info.createdMillis()).toString());
    object.put("heard", info.heard());
    if (info.heard()) {
      object.put("used", Instant.ofEpochMilli(info.usedMillis()).toString());
      object.put("commits", info.commits());
      object.put("unshipped", info.unshipped());
      object.put("clients", info.clients());
    }
    if (!info.trouble().isEmpty()) {
      object.put("trouble", info.trouble());
    }
    return object;
  }

  /** Returns where the leader is, and whether the leader has reported the state of the group. */
  private static String leads(GroupInfo info) {
    if (info.here() && info.node().isEmpty()) {
      return "";
    }
    if (info.node().isEmpty()) {
      return " in a process that does not tell more of it";
    }
    // A group that is being formed has no commits that its leader could report.
    boolean silent = !info.heard() && info.state() != GroupState.FORMING;
    return " at " + info.node() + (silent ? ", which does not answer" : "");
  }

  private static String text(GroupInfo info) {
    List<String> parts = new ArrayList<>();
    parts.add(info.name());
    parts.add(info.state().name().toLowerCase(Locale.ROOT));
    parts.add(Amount.of(info.members(), "row"));
    parts.add("led by " + text(info.leader()) + leads(info));
    if (info.heard()) {
      parts.add(
          Amount.of(info.commits(), "commit") + ", " + info.unshipped() + " not in the store yet");
      parts.add("open " + Amount.of(info.clients(), "time"));
      parts.add("used " + Instant.ofEpochMilli(info.usedMillis()));
    }
    parts.add("since " + Instant.ofEpochMilli(info.createdMillis()));
    if (!info.trouble().isEmpty()) {
      parts.add(info.trouble());
    }
    return String.join("  ", parts);
  }
}
