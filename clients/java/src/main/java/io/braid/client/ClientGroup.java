package io.braid.client;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.rpc.v1.Group;
import io.braid.rpc.v1.GroupName;
import io.braid.rpc.v1.RunInGroupRequest;
import io.braid.rpc.v1.RunInGroupResponse;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A key group that a server leads: its rows belong to it until it is deleted. Closing this deletes
 * it; {@link #detach} leaves it as it is, to be opened again by its name.
 */
@API(status = API.Status.STABLE)
public final class ClientGroup implements AutoCloseable {
  private final Server server;
  private final String name;
  private final List<Row> notJoined;
  private boolean detached;

  ClientGroup(Server server, Group group) {
    this.server = server;
    this.name = group.getGroup();
    this.notJoined =
        group.getNotJoinedList().stream()
            .map(each -> Shown.row(each.getTable(), each.getRow()))
            .toList();
  }

  /** The name it was created with. */
  public String name() {
    return name;
  }

  /** The rows that did not join; none unless the group was created by best effort. */
  public List<Row> notJoined() {
    return notJoined;
  }

  /**
   * Begins a transaction of the group, sent at once; serializable, and durable when it is answered.
   * It has no name: after an {@link OutcomeUnknownException} read the data that it should have
   * written.
   */
  public ClientScript script() {
    return new ClientScript(
        operations -> {
          RunInGroupRequest request =
              RunInGroupRequest.newBuilder().setGroup(name).addAllOperations(operations).build();
          RunInGroupResponse answer = run(request);
          return new ClientScript.Answer(answer.getPosition(), answer.getResultsList());
        });
  }

  private RunInGroupResponse run(RunInGroupRequest request) {
    try {
      return server.once(() -> server.groups().runInGroup(request));
    } catch (UnavailableException e) {
      throw e.lost() ? new OutcomeUnknownException("", e) : e;
    }
  }

  /** The newest value of a column of a member. */
  public <T> Optional<T> read(Row row, Column<T> column) {
    return script().get(row, column).run().rows().get(0).get(column);
  }

  /** Waits until all commits are in the store, where snapshots see them. */
  public void ship() {
    server.again(() -> server.groups().shipGroup(message()));
  }

  private GroupName message() {
    return GroupName.newBuilder().setGroup(name).build();
  }

  /**
   * Leaves the group as it is when this is closed; {@link BraidClient#openGroup
   * BraidClient.openGroup} opens it again.
   */
  public void detach() {
    detached = true;
  }

  /** Deletes the group, unless it was detached: its commits are in the store then. */
  @Override
  public void close() {
    if (!detached) {
      detached = true;
      try {
        server.again(() -> server.groups().deleteGroup(message()));
      } catch (RefusedException e) {
        if (!e.reason().equals("NO_SUCH_GROUP")) {
          throw e;
        }
      }
    }
  }
}
