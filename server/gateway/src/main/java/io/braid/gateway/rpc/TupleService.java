package io.braid.gateway.rpc;

import io.braid.core.data.Bytes;
import io.braid.gateway.access.Role;
import io.braid.rpc.v1.DeliverHintsRequest;
import io.braid.rpc.v1.DeliverHintsResponse;
import io.braid.rpc.v1.ReadTuplesRequest;
import io.braid.rpc.v1.ReadTuplesResponse;
import io.braid.rpc.v1.Sibling;
import io.braid.rpc.v1.Tuple;
import io.braid.rpc.v1.TuplesGrpc;
import io.braid.rpc.v1.WriteTupleRequest;
import io.braid.rpc.v1.WriteTupleResponse;
import io.braid.serving.net.TupleCalls;
import io.braid.serving.transform.Part;
import io.braid.serving.transform.Transform;
import io.braid.serving.writable.Siblings;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WriteAttempt;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Read-write stores over gRPC: reading needs the role read on {@code store/NAME}, writing write,
 * and truncating admin.
 */
final class TupleService extends TuplesGrpc.TuplesImplBase {
  private final Calls calls;
  private final TupleCalls tuples;

  TupleService(Calls calls, TupleCalls tuples) {
    this.calls = calls;
    this.tuples = tuples;
  }

  private static String name(String store) {
    return "store/" + store;
  }

  @Override
  public void readTuples(ReadTuplesRequest request, StreamObserver<ReadTuplesResponse> out) {
    calls.unary(
        false,
        out,
        identity -> {
          identity.require(Role.READ, name(request.getStore()));
          List<Bytes> keys = request.getKeysList().stream().map(Messages::bytes).toList();
          ReadTuplesResponse.Builder answer = ReadTuplesResponse.newBuilder();
          tuples
              .read(request.getStore(), keys, part(request))
              .forEach(siblings -> answer.addTuples(tuple(siblings)));
          return answer.build();
        });
  }

  private static @Nullable Part part(ReadTuplesRequest request) {
    return request.hasPart()
        ? new Part(
            Transform.named(request.getPart().getTransform()),
            request.getPart().getFrom(),
            request.getPart().getCount())
        : null;
  }

  private static Tuple tuple(List<VersionedValue> siblings) {
    Tuple.Builder tuple = Tuple.newBuilder().setBasis(message(Siblings.basis(siblings)));
    for (VersionedValue each : siblings) {
      Sibling.Builder sibling =
          Sibling.newBuilder().setClock(message(each.clock())).setMillis(each.millis());
      each.value().ifPresent(value -> sibling.setValue(Messages.string(value)));
      tuple.addSiblings(sibling);
    }
    return tuple.build();
  }

  private static io.braid.rpc.v1.VectorClock message(VectorClock clock) {
    io.braid.rpc.v1.VectorClock.Builder message =
        io.braid.rpc.v1.VectorClock.newBuilder().putAllCounts(clock.counts());
    for (WriteAttempt each : clock.tries()) {
      message.addTries(
          io.braid.rpc.v1.Try.newBuilder()
              .setNode(each.node())
              .setCount(each.count())
              .setWrite(each.write()));
    }
    return message.build();
  }

  private static VectorClock clock(io.braid.rpc.v1.VectorClock message) {
    List<WriteAttempt> tries = new ArrayList<>();
    for (io.braid.rpc.v1.Try each : message.getTriesList()) {
      tries.add(new WriteAttempt(each.getNode(), each.getCount(), each.getWrite()));
    }
    return new VectorClock(message.getCountsMap(), tries);
  }

  @Override
  public void writeTuple(WriteTupleRequest request, StreamObserver<WriteTupleResponse> out) {
    calls.unary(
        true,
        out,
        identity -> {
          identity.require(Role.WRITE, name(request.getStore()));
          return WriteTupleResponse.newBuilder().setClock(message(written(request))).build();
        });
  }

  private VectorClock written(WriteTupleRequest request) {
    Bytes key = Messages.bytes(request.getKey());
    Optional<Bytes> value =
        request.hasValue() ? Optional.of(Messages.bytes(request.getValue())) : Optional.empty();
    if (request.getAppend().isEmpty()) {
      VectorClock basis = request.hasBasis() ? clock(request.getBasis()) : null;
      return tuples.write(request.getStore(), key, basis, value);
    }
    if (request.hasBasis()) {
      throw new IllegalArgumentException("What is added needs no basis: leave it out.");
    }
    Bytes more =
        value.orElseThrow(() -> new IllegalArgumentException("Say with 'value' what to add."));
    return tuples.append(request.getStore(), key, Transform.named(request.getAppend()), more);
  }

  @Override
  public void deliverHints(DeliverHintsRequest request, StreamObserver<DeliverHintsResponse> out) {
    calls.unary(
        true,
        out,
        identity -> {
          identity.require(Role.ADMIN, "store/*");
          return DeliverHintsResponse.newBuilder().setDelivered(tuples.pushHints()).build();
        });
  }
}
