package io.braid.client;

import io.braid.rpc.v1.AdminGrpc;
import io.braid.rpc.v1.FastGrpc;
import io.braid.rpc.v1.GroupsGrpc;
import io.braid.rpc.v1.JobsGrpc;
import io.braid.rpc.v1.RowsGrpc;
import io.braid.rpc.v1.StoresGrpc;
import io.braid.rpc.v1.TransactionsGrpc;
import io.braid.rpc.v1.TuplesGrpc;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The connection to a server: its services, its retries, and its translation of failures. */
final class Server implements AutoCloseable {
  private static final int MESSAGE = 64 << 20;
  private static final int HEADERS = 64 << 10;
  private static final long PAUSE_MILLIS = 5;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final ClientOptions options;
  private final ManagedChannel channel;
  private final TransactionsGrpc.TransactionsBlockingStub transactions;
  private final RowsGrpc.RowsBlockingStub rows;
  private final FastGrpc.FastBlockingStub fast;
  private final GroupsGrpc.GroupsBlockingStub groups;
  private final StoresGrpc.StoresBlockingStub stores;
  private final TuplesGrpc.TuplesBlockingStub tuples;
  private final JobsGrpc.JobsBlockingStub jobs;
  private final AdminGrpc.AdminBlockingStub admin;

  Server(ClientOptions options) {
    this.options = options;
    this.channel =
        NettyChannelBuilder.forTarget(options.address(), credentials(options))
            .maxInboundMessageSize(MESSAGE)
            .maxInboundMetadataSize(HEADERS)
            .keepAliveTime(1, TimeUnit.MINUTES)
            .intercept(interceptors(options))
            .build();
    this.transactions = TransactionsGrpc.newBlockingStub(channel);
    this.rows = RowsGrpc.newBlockingStub(channel);
    this.fast = FastGrpc.newBlockingStub(channel);
    this.groups = GroupsGrpc.newBlockingStub(channel);
    this.stores = StoresGrpc.newBlockingStub(channel);
    this.tuples = TuplesGrpc.newBlockingStub(channel);
    this.jobs = JobsGrpc.newBlockingStub(channel);
    this.admin = AdminGrpc.newBlockingStub(channel);
  }

  private static ChannelCredentials credentials(ClientOptions options) {
    if (options.tls().isEmpty()) {
      return InsecureChannelCredentials.create();
    }
    ClientOptions.Tls tls = options.tls().get();
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    try {
      if (tls.authorities().isPresent()) {
        builder.trustManager(tls.authorities().get().toFile());
      }
      if (tls.certificate().isPresent()) {
        ClientOptions.Certificate own = tls.certificate().get();
        builder.keyManager(own.certificate().toFile(), own.key().toFile());
      }
      return builder.build();
    } catch (IOException e) {
      throw new IllegalArgumentException("A file for TLS cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<ClientInterceptor> interceptors(ClientOptions options) {
    List<ClientInterceptor> all = new ArrayList<>();
    all.add(new Traceparent());
    if (!options.token().isEmpty()) {
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
          "Bearer " + options.token());
      all.add(MetadataUtils.newAttachHeadersInterceptor(headers));
    }
    return all;
  }

  private <S extends AbstractStub<S>> S timed(S stub) {
    return stub.withDeadlineAfter(options.timeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  TransactionsGrpc.TransactionsBlockingStub transactions() {
    return timed(transactions);
  }

  RowsGrpc.RowsBlockingStub rows() {
    return timed(rows);
  }

  /** Returns the service for streams. They have no deadline, because the reader sets their pace. */
  RowsGrpc.RowsBlockingStub streams() {
    return rows;
  }

  FastGrpc.FastBlockingStub fast() {
    return timed(fast);
  }

  GroupsGrpc.GroupsBlockingStub groups() {
    return timed(groups);
  }

  StoresGrpc.StoresBlockingStub stores() {
    return timed(stores);
  }

  TuplesGrpc.TuplesBlockingStub tuples() {
    return timed(tuples);
  }

  JobsGrpc.JobsBlockingStub jobs() {
    return timed(jobs);
  }

  AdminGrpc.AdminBlockingStub admin() {
    return timed(admin);
  }

  int attempts() {
    return options.attempts();
  }

  /** Makes a call once. */
  <R> R once(Supplier<R> call) {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw channel.isShutdown()
          ? new UnavailableException("CLOSED", "The client is closed.", true)
          : Failures.of(e);
    }
  }

  /** Makes a call that may be made again, until it is answered; with growing pauses. */
  <R> R again(Supplier<R> call) {
    Patience patience = patience();
    boolean lost = false;
    while (true) {
      try {
        return once(call);
      } catch (UnavailableException e) {
        lost |= e.lost();
        if (patience.isOver()) {
          throw lost == e.lost()
              ? e
              : new UnavailableException(e.reason(), String.valueOf(e.getMessage()), true);
        }
        patience.pause(e);
      }
    }
  }

  /** How often and for how long something is tried. */
  Patience patience() {
    return new Patience(System.nanoTime() + options.timeout().toNanos());
  }

  /**
   * Counts attempts. Patience ends after a number of attempts, after the time of one call, by an
   * interrupt or the end.
   */
  final class Patience {
    private final long end;
    private int attempt = 1;

    private Patience(long end) {
      this.end = end;
    }

    boolean isOver() {
      return attempt >= options.attempts()
          || channel.isShutdown()
          || System.nanoTime() - end > 0
          || Thread.currentThread().isInterrupted();
    }

    /** Waits before another attempt, which finds a connection that can be had again. */
    void pause() {
      Server.pause(attempt++);
      channel.resetConnectBackoff();
    }

    /** Waits as long as a refusal asks for, but not beyond the end. */
    void pause(RefusedException refused) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      long asked =
          refused instanceof UnavailableException e ? Math.min(e.retryAfter().toMillis(), left) : 0;
      if (asked > 0) {
        sleep(asked);
      }
      pause();
    }
  }

  /** Waits before another attempt; about twice as long each time. An interrupt ends it. */
  static void pause(int attempt) {
    long most = Math.min(LONGEST_PAUSE_MILLIS, PAUSE_MILLIS << Math.min(attempt, 10));
    sleep(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    channel.shutdown();
    try {
      if (!channel.awaitTermination(5, TimeUnit.SECONDS)) {
        channel.shutdownNow();
      }
    } catch (InterruptedException e) {
      channel.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
