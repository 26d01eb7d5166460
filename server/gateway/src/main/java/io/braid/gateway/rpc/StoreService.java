package io.braid.gateway.rpc;

import io.braid.core.data.Bytes;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.http.AnswerMemory;
import io.braid.rpc.v1.FetchState;
import io.braid.rpc.v1.FetchVersionRequest;
import io.braid.rpc.v1.GetValuesRequest;
import io.braid.rpc.v1.GetValuesResponse;
import io.braid.rpc.v1.ListStoresRequest;
import io.braid.rpc.v1.ListStoresResponse;
import io.braid.rpc.v1.ListVersionsResponse;
import io.braid.rpc.v1.PinVersionRequest;
import io.braid.rpc.v1.RollBackVersionRequest;
import io.braid.rpc.v1.StoreName;
import io.braid.rpc.v1.StoreValue;
import io.braid.rpc.v1.StoreVersion;
import io.braid.rpc.v1.StoresGrpc;
import io.braid.rpc.v1.SwapVersionRequest;
import io.braid.rpc.v1.VersionState;
import io.braid.serving.build.Manifest;
import io.braid.serving.client.Values;
import io.braid.serving.net.FetchJob;
import io.braid.serving.net.StoreCalls;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.node.VersionInfo;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Served stores over gRPC: reading needs the role read on {@code store/NAME}, changing admin. */
final class StoreService extends StoresGrpc.StoresImplBase {
  /** How often a value is in memory as a message until it is on the way. */
  private static final int COPIES = 2;

  private final Calls calls;
  private final StoreCalls stores;

  StoreService(Calls calls, StoreCalls stores) {
    this.calls = calls;
    this.stores = stores;
  }

  private static String name(String store) {
    return "store/" + store;
  }

  /** Answers a read of a store. */
  private <R> void read(String store, StreamObserver<R> out, Calls.Body<R> body) {
    calls.unary(
        false,
        out,
        identity -> {
          identity.require(Role.READ, name(store));
          return body.answer(identity);
        });
  }

  private interface Change {
    long of() throws java.io.IOException;
  }

  /** Answers a change of a store; the change returns the version. */
  private void change(String store, StreamObserver<StoreVersion> out, Change change) {
    calls.unary(
        true,
        out,
        identity -> {
          identity.require(Role.ADMIN, name(store));
          return version(store, change.of());
        });
  }

  private static StoreVersion version(String store, long version) {
    return StoreVersion.newBuilder().setStore(store).setVersion(version).build();
  }

  @Override
  public void listStores(ListStoresRequest request, StreamObserver<ListStoresResponse> out) {
    calls.unary(false, out, this::list);
  }

  private ListStoresResponse list(Identity identity) {
    ListStoresResponse.Builder answer = ListStoresResponse.newBuilder();
    stores.stores().stream()
        .filter(store -> identity.may(Role.READ, name(store)))
        .forEach(store -> answer.addStores(version(store, stores.live(store))));
    return answer.build();
  }

  @Override
  public void getValues(GetValuesRequest request, StreamObserver<GetValuesResponse> out) {
    read(
        request.getStore(),
        out,
        identity -> {
          List<Bytes> keys = request.getKeysList().stream().map(Messages::bytes).toList();
          Values values = stores.read(request.getStore(), keys);
          for (Optional<Bytes> value : values.values()) {
            AnswerMemory.take(value.map(Bytes::length).orElse(0), COPIES);
          }
          GetValuesResponse.Builder answer =
              GetValuesResponse.newBuilder()
                  .setVersion(values.version())
                  .setSchema(values.schema());
          values
              .values()
              .forEach(
                  value -> {
                    StoreValue.Builder one = StoreValue.newBuilder();
                    value.ifPresent(found -> one.setValue(Messages.string(found)));
                    answer.addValues(one);
                  });
          return answer.build();
        });
  }

  @Override
  public void listVersions(StoreName request, StreamObserver<ListVersionsResponse> out) {
    read(
        request.getStore(),
        out,
        identity -> {
          StoreVersions versions = stores.versions(request.getStore());
          ListVersionsResponse.Builder answer =
              ListVersionsResponse.newBuilder()
                  .setLive(stores.live(request.getStore()))
                  .setFlips(versions.seen().flips())
                  .setNext(versions.next())
                  .setQuota(versions.quota());
          versions.versions().forEach(each -> answer.addVersions(state(each)));
          return answer.build();
        });
  }

  private static VersionState state(VersionInfo info) {
    VersionState.Builder state =
        VersionState.newBuilder()
            .setVersion(info.version())
            .setState(info.state().text())
            .setProblem(info.problem())
            .setPinned(info.pinned());
    Manifest manifest = info.manifest();
    if (manifest != null) {
      state.setKeys(manifest.keys()).setChecksum(manifest.checksum());
    }
    return state.build();
  }

  @Override
  public void fetchVersion(FetchVersionRequest request, StreamObserver<StoreVersion> out) {
    change(
        request.getStore(),
        out,
        () -> stores.fetch(request.getStore(), request.getFrom(), request.getVersion()));
  }

  @Override
  public void getFetch(StoreName request, StreamObserver<FetchState> out) {
    read(
        request.getStore(),
        out,
        identity -> {
          FetchJob job = stores.fetched(request.getStore());
          return FetchState.newBuilder()
              .setVersion(job.version())
              .setState(job.state().name().toLowerCase(Locale.ROOT))
              .setFetched(job.fetched())
              .setTotal(job.total())
              .setProblem(job.problem())
              .build();
        });
  }

  @Override
  public void swapVersion(SwapVersionRequest request, StreamObserver<StoreVersion> out) {
    change(
        request.getStore(),
        out,
        () -> {
          long flips = request.hasFlips() ? request.getFlips() : -1;
          stores.swap(request.getStore(), request.getVersion(), request.getForce(), flips);
          return request.getVersion();
        });
  }

  @Override
  public void rollBackVersion(RollBackVersionRequest request, StreamObserver<StoreVersion> out) {
    LiveVersion seen =
        new LiveVersion(request.getFrom(), request.hasFlips() ? request.getFlips() : -1);
    change(
        request.getStore(),
        out,
        () -> stores.rollBack(request.getStore(), request.getVersion(), seen));
  }

  @Override
  public void pinVersion(PinVersionRequest request, StreamObserver<StoreVersion> out) {
    change(
        request.getStore(),
        out,
        () -> {
          stores.pin(request.getStore(), request.getVersion(), !request.getOff());
          return request.getVersion();
        });
  }
}
