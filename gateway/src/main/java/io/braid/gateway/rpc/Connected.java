package io.braid.gateway.rpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The connections that there are, up to a number. One beyond it is closed as soon as it is taken,
 * before anything of it is read, so that it costs neither memory nor a handshake.
 */
final class Connected implements AutoCloseable {
  private final int most;
  private final AtomicInteger count = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private final EventLoopGroup taking =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoopGroup serving = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());

  Connected(int most) {
    this.most = most;
  }

  /** What listens. */
  ServerChannel listener() {
    return new Listener();
  }

  /** Whose thread takes connections. */
  EventLoopGroup taking() {
    return taking;
  }

  /** Whose threads serve them. */
  EventLoopGroup serving() {
    return serving;
  }

  int count() {
    return count.get();
  }

  long refused() {
    return refused.sum();
  }

  /** Whether there is room for a connection; then it counts until it is closed. */
  private boolean admits(Channel connection) {
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      refused.increment();
      return false;
    }
    connection.closeFuture().addListener(closed -> count.decrementAndGet());
    return true;
  }

  @Override
  public void close() {
    taking.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    serving.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private final class Listener extends NioServerSocketChannel {
    @Override
    protected int doReadMessages(List<Object> taken) throws Exception {
      int before = taken.size();
      int read = super.doReadMessages(taken);
      for (int i = taken.size() - 1; i >= before; i--) {
        Channel connection = (Channel) taken.get(i);
        if (!admits(connection)) {
          taken.remove(i);
          connection.unsafe().closeForcibly();
        }
      }
      return read;
    }
  }
}
