package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.core.data.Row;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.groups.Group;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.http.Json;
import io.braid.view.ByteText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Key groups that this node leads. To create, use or delete a group, an identity needs to write
 * every table of its members. Clients need no lasting connection: an unused group ends with its
 * lease.
 */
final class GroupRoutes {
  private final Braid db;
  private final OperationReader reader;
  private final int most;

  /**
   * @param most members that a request names
   */
  GroupRoutes(Braid db, OperationReader reader, int most) {
    this.db = db;
    this.reader = reader;
    this.most = most;
  }

  List<Route> all() {
    return List.of(
        Route.of("GET", "/v1/groups", Role.READ, "The key groups there are.", this::list),
        Route.of(
                "POST",
                "/v1/groups",
                Role.WRITE,
                "Create a group of rows, which this node leads.",
                this::create)
            .body("Group"),
        Route.of("GET", "/v1/groups/{group}", Role.READ, "A group and its members.", this::show),
        Route.of(
                "POST",
                "/v1/groups/{group}/run",
                Role.WRITE,
                "Do operations on members in one transaction of the group; durable when answered.",
                this::run)
            .body("GroupScript"),
        Route.of(
            "POST",
            "/v1/groups/{group}/ship",
            Role.WRITE,
            "Wait until all commits of the group are in the store.",
            this::ship),
        Route.of(
            "DELETE",
            "/v1/groups/{group}",
            Role.WRITE,
            "Delete a group: its commits are in the store then, its rows free.",
            this::delete));
  }

  private JsonNode list(Request request) {
    ObjectNode answer = Json.object();
    ArrayNode groups = answer.putArray("groups");
    for (GroupInfo each : db.groups().list()) {
      if (request.identity().may(Role.READ, each.leader().table())) {
        groups.add(info(each));
      }
    }
    return answer;
  }

  private static ObjectNode info(GroupInfo info) {
    ObjectNode answer =
        Json.object()
            .put("group", info.name())
            .put("state", info.state().name().toLowerCase(Locale.ROOT))
            .put("leader_table", info.leader().table())
            .put("leader_row", ByteText.show(info.leader().key()))
            .put("members", info.members())
            .put("here", info.here())
            .put("node", info.node())
            .put("heard", info.heard())
            .put("epoch", info.epoch())
            .put("commits", info.commits())
            .put("unshipped", info.unshipped())
            .put("clients", info.clients());
    if (!info.trouble().isEmpty()) {
      answer.put("trouble", info.trouble());
    }
    return answer;
  }

  private JsonNode create(Request request) throws IOException {
    ObjectNode body = request.body();
    List<Row> rows = rows(body.path("rows"));
    require(request.identity(), Role.WRITE, rows);
    GroupRequest wanted = GroupRequest.of(rows);
    if (body.has("name")) {
      wanted = wanted.named(body.path("name").asText());
    }
    if (body.has("leader")) {
      wanted = wanted.ledBy(row(body.path("leader")));
    }
    if (body.path("best_effort").asBoolean(false)) {
      wanted = wanted.bestEffort();
    }
    Group group = db.group(wanted);
    try {
      ObjectNode answer = info(group.info());
      ArrayNode refused = answer.putArray("not_joined");
      group.notJoined().forEach(each -> refused.add(notJoined(each)));
      return answer;
    } finally {
      group.detach();
    }
  }

  static ObjectNode notJoined(JoinRefusal each) {
    return object(each.key()).put("why", each.why());
  }

  private static ObjectNode object(Row row) {
    return Json.object().put("table", row.table()).put("row", ByteText.show(row.key()));
  }

  private List<Row> rows(JsonNode array) {
    if (!array.isArray() || array.isEmpty() || array.size() > most) {
      throw new IllegalArgumentException(
          "'rows' is an array of 1 to " + most + " objects with 'table' and 'row'.");
    }
    List<Row> rows = new ArrayList<>();
    array.forEach(each -> rows.add(row(each)));
    return rows;
  }

  private static Row row(JsonNode node) {
    if (!node.isObject()
        || node.size() != 2
        || !node.path("table").isTextual()
        || !node.path("row").isTextual()) {
      throw new IllegalArgumentException(
          "A member is {\"table\":\"...\",\"row\":\"...\"}; not " + node + ".");
    }
    return Values.row(node.path("table").textValue(), node.path("row").textValue());
  }

  private static void require(Identity identity, Role role, List<Row> rows) {
    rows.stream().map(Row::table).distinct().forEach(table -> identity.require(role, table));
  }

  /** For an identity that may not read all of its tables, there is no such group. */
  private static void requireVisible(Identity identity, String name, List<Row> rows) {
    rows.stream()
        .map(Row::table)
        .distinct()
        .forEach(
            table ->
                identity.requireVisible(
                    table, () -> new GroupGoneException(name, "does not exist")));
  }

  private JsonNode show(Request request) {
    String name = request.part("group");
    GroupInfo info =
        db.groups().find(name).orElseThrow(() -> new GroupGoneException(name, "does not exist"));
    List<Row> members = db.groups().membersOf(name);
    requireVisible(request.identity(), name, members);
    // The group may have been created again between the two.
    requireVisible(request.identity(), name, List.of(info.leader()));
    require(request.identity(), Role.READ, members);
    ObjectNode answer = info(info);
    ArrayNode rows = answer.putArray("rows");
    members.forEach(each -> rows.add(object(each)));
    return answer;
  }

  private JsonNode run(Request request) throws IOException {
    List<Operation> all = reader.read(request.body().path("operations"));
    GroupScript.ScriptResult done = run(request.identity(), request.part("group"), all);
    ObjectNode answer = Json.object().put("position", Long.toString(done.position()));
    return answer.set("results", ResultJson.write(done.results()));
  }

  /** Does operations in one transaction of a group, if the identity may write all its tables. */
  GroupScript.ScriptResult run(Identity identity, String name, List<Operation> all) {
    all.forEach(each -> identity.require(each.role(), each.table()));
    return using(identity, name, group -> GroupScript.run(group, all));
  }

  private JsonNode ship(Request request) {
    return using(
        request.identity(),
        request.part("group"),
        group -> {
          group.ship();
          return info(group.info());
        });
  }

  /**
   * Does something with a group, if the identity may write the tables of all members. The members
   * are checked while the group is open: a group created again under the same name, with other
   * rows, is a different group.
   */
  private <R> R using(Identity identity, String name, Function<Group, R> use) {
    Group group = db.groups().open(name);
    try {
      requireVisible(identity, name, List.copyOf(group.members()));
      require(identity, Role.WRITE, List.copyOf(group.members()));
      return use.apply(group);
    } finally {
      group.detach();
    }
  }

  private JsonNode delete(Request request) {
    return using(
        request.identity(),
        request.part("group"),
        group -> {
          group.close();
          return Json.object().put("group", group.name()).put("deleted", true);
        });
  }
}
