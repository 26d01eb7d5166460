package io.braid.rpc.listen;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Connections that have gone silent. Now and then gRPC asks each connection whether the other side
 * is still there, so live connections send something. gRPC would close the others itself. But while
 * a silent connection has an unfinished call, the last bytes that gRPC writes to it are never sent,
 * and the connection stays.
 *
 * <p>Time is counted in turns, not by a clock: a process that was stopped has received nothing for
 * long, which is not the fault of the connections.
 */
final class SilentConnections {
  private final long most;
  private final Consumer<Channel> cut;
  private final AtomicLong turn = new AtomicLong();
  private final Set<ReadListener> all = ConcurrentHashMap.newKeySet();

  /**
   * @param most turns in which nothing comes
   */
  SilentConnections(long most, Consumer<Channel> cut) {
    this.most = most;
    this.cut = cut;
  }

  /** Listens to a connection from now on, before any other handler. */
  void listenTo(Channel connection) {
    ReadListener listener = new ReadListener(connection);
    all.add(listener);
    connection.closeFuture().addListener(closed -> all.remove(listener));
    connection.pipeline().addLast(listener);
  }

  /** Ends those that were silent for too long; to be called now and then. */
  void look() {
    long now = turn.incrementAndGet();
    for (ReadListener each : all) {
      if (now - each.heard > most) {
        cut.accept(each.connection);
      }
    }
  }

  private final class ReadListener extends ChannelInboundHandlerAdapter {
    private final Channel connection;
    private volatile long heard = turn.get();

    private ReadListener(Channel connection) {
      this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      heard = turn.get();
      context.fireChannelRead(bytes);
    }
  }
}
