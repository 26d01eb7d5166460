package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.rpc.v1.ReadTuplesRequest;
import io.braid.rpc.v1.Sibling;
import io.braid.rpc.v1.Tuple;
import io.braid.rpc.v1.VectorClock;
import io.braid.rpc.v1.WriteTupleRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A read-write store of a cluster, asked at one of its nodes: replicated tuples with vector clocks.
 * Safe for many threads.
 *
 * <pre>{@code
 * ClientTuples carts = db.tuples("carts");
 * ClientTuples.Read read = carts.read(bob);
 * carts.put(bob, read.basis(), Optional.of(merged(read.siblings())));   // refused if outdated
 * }</pre>
 */
@API(status = API.Status.STABLE)
public final class ClientTuples {
  private final Server server;
  private final String name;

  /**
   * A version of a key at a replica.
   *
   * @param millis when it was written, in milliseconds since 1970 by the clock of the writer
   * @param value none when it was deleted
   */
  public record Version(long millis, Optional<Bytes> value) {}

  /**
   * The result of reading a key.
   *
   * @param siblings versions that know nothing of each other, deleted ones too
   * @param basis for a write by a client that has seen all siblings
   */
  public record Read(List<Version> siblings, VectorClock basis) {
    /** The value that was written last. */
    public Optional<Bytes> newest() {
      return siblings.stream()
          .max(Comparator.comparingLong(Version::millis))
          .flatMap(Version::value);
    }
  }

  ClientTuples(Server server, String name) {
    this.server = server;
    this.name = name;
  }

  /** Reads the versions of a key. */
  public Read read(Bytes key) {
    return readAll(List.of(key)).get(0);
  }

  /** Reads the versions of keys, in the order of the keys. */
  public List<Read> readAll(Collection<Bytes> keys) {
    ReadTuplesRequest.Builder request = ReadTuplesRequest.newBuilder().setStore(name);
    keys.forEach(key -> request.addKeys(Wire.string(key)));
    List<Read> all = new ArrayList<>();
    server
        .again(() -> server.tuples().readTuples(request.build()))
        .getTuplesList()
        .forEach(tuple -> all.add(read(tuple)));
    return all;
  }

  private static Read read(Tuple tuple) {
    List<Version> siblings = tuple.getSiblingsList().stream().map(ClientTuples::version).toList();
    return new Read(siblings, tuple.getBasis());
  }

  private static Version version(Sibling sibling) {
    return new Version(
        sibling.getMillis(),
        sibling.hasValue() ? Optional.of(Wire.bytes(sibling.getValue())) : Optional.empty());
  }

  /** The value that was written last. */
  public Optional<Bytes> get(Bytes key) {
    return read(key).newest();
  }

  /**
   * Writes over all existing versions.
   *
   * @return the clock of the written version
   * @throws UnavailableException when too few replicas answered, or none; one that says {@link
   *     UnavailableException#lost} may have been carried out: read the key to know
   */
  public VectorClock put(Bytes key, Bytes value) {
    return write(request(key, Optional.of(value)));
  }

  /** Deletes all existing versions; otherwise as {@link #put(Bytes, Bytes)}. */
  public VectorClock delete(Bytes key) {
    return write(request(key, Optional.empty()));
  }

  /**
   * Writes unless another client wrote since the basis was read; otherwise as {@link #put(Bytes,
   * Bytes)}.
   *
   * @param value none: deletes
   * @throws RefusedException with the reason {@code OBSOLETE_VERSION} when another client wrote:
   *     read again
   */
  public VectorClock put(Bytes key, VectorClock basis, Optional<Bytes> value) {
    return write(request(key, value).setBasis(basis));
  }

  private WriteTupleRequest.Builder request(Bytes key, Optional<Bytes> value) {
    WriteTupleRequest.Builder request =
        WriteTupleRequest.newBuilder().setStore(name).setKey(Wire.string(key));
    value.ifPresent(given -> request.setValue(Wire.string(given)));
    return request;
  }

  /** Writes once: after a lost answer, the caller decides whether to write again. */
  private VectorClock write(WriteTupleRequest.Builder request) {
    return server.once(() -> server.tuples().writeTuple(request.build()).getClock());
  }
}
