package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.rpc.v1.GetValuesRequest;
import io.braid.rpc.v1.GetValuesResponse;
import io.braid.rpc.v1.ListVersionsResponse;
import io.braid.rpc.v1.RollBackVersionRequest;
import io.braid.rpc.v1.StoreName;
import io.braid.rpc.v1.SwapVersionRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A served store of a server: read-only, in versions. Safe for many threads.
 *
 * <pre>{@code
 * Optional<Bytes> ann = db.store("people").get("ann");
 * }</pre>
 */
@API(status = API.Status.STABLE)
public final class ClientStore {
  private final Server server;
  private final String name;

  /**
   * The values of a read, all of one version.
   *
   * @param schema the form of the values
   * @param values in the order of the keys
   */
  public record Values(long version, int schema, List<Optional<Bytes>> values) {}

  ClientStore(Server server, String name) {
    this.server = server;
    this.name = name;
  }

  /** The value of a key in the live version; empty when it has none. */
  public Optional<Bytes> get(Bytes key) {
    return getAll(List.of(key)).values().get(0);
  }

  /** The value of a key of text. */
  public Optional<Bytes> get(String key) {
    return get(Bytes.of(key));
  }

  /** Values of several keys, never of two versions. */
  public Values getAll(Collection<Bytes> keys) {
    GetValuesRequest.Builder request = GetValuesRequest.newBuilder().setStore(name);
    keys.forEach(key -> request.addKeys(Wire.string(key)));
    GetValuesResponse answer = server.again(() -> server.stores().getValues(request.build()));
    List<Optional<Bytes>> values = new ArrayList<>();
    answer
        .getValuesList()
        .forEach(
            each ->
                values.add(
                    each.hasValue() ? Optional.of(Wire.bytes(each.getValue())) : Optional.empty()));
    return new Values(answer.getVersion(), answer.getSchema(), values);
  }

  /** Its versions on the server, as the proto files describe them. */
  public ListVersionsResponse versions() {
    StoreName request = StoreName.newBuilder().setStore(name).build();
    return server.again(() -> server.stores().listVersions(request));
  }

  /**
   * Makes a version live; reads that have begun end on the one before.
   *
   * @throws RefusedException when the server does not have it, or you may not
   */
  public void swap(long version) {
    SwapVersionRequest request =
        SwapVersionRequest.newBuilder().setStore(name).setVersion(version).build();
    server.once(() -> server.stores().swapVersion(request));
  }

  /**
   * Makes the version live that was so before; which it is. Goes back from the version that is live
   * now: should the request come late, or twice, it does nothing once that has changed.
   */
  public long rollBackVersion() {
    ListVersionsResponse seen = versions();
    RollBackVersionRequest request =
        RollBackVersionRequest.newBuilder()
            .setStore(name)
            .setFrom(seen.getLive())
            .setFlips(seen.getFlips())
            .build();
    return server.once(() -> server.stores().rollBackVersion(request).getVersion());
  }
}
