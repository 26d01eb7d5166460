package io.braid.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes bytes between a client and a server, and breaks connections after some bytes of the
 * server: what was asked is done there, and its answer lost.
 */
final class BreakingProxy implements AutoCloseable {
  private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final InetSocketAddress to;
  private final Random random;
  private final int most;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger broken = new AtomicInteger();
  private volatile boolean calm;

  /**
   * @param most bytes of the server that a connection passes
   */
  BreakingProxy(InetSocketAddress to, long seed, int most) throws IOException {
    this.to = to;
    this.random = new Random(seed);
    this.most = most;
    start(this::accept);
  }

  private interface Body {
    void run() throws IOException;
  }

  private static void start(Body body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (IOException e) {
                // Closed, by either side.
              }
            },
            "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  String address() {
    return "127.0.0.1:" + door.getLocalPort();
  }

  int broken() {
    return broken.get();
  }

  /** Breaks nothing from now on. */
  void calm() {
    calm = true;
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = door.accept();
      Socket server = new Socket(to.getAddress(), to.getPort());
      open.add(client);
      open.add(server);
      int after = 200 + random.nextInt(most);
      start(() -> pass(client, server, Integer.MAX_VALUE));
      start(() -> pass(server, client, after));
    }
  }

  private void pass(Socket from, Socket to, int after) throws IOException {
    byte[] buffer = new byte[1024];
    long passed = 0;
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        passed += n;
        if (passed > after && !calm) {
          broken.incrementAndGet();
          return;
        }
        out.write(buffer, 0, n);
      }
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Socket each : open) {
      each.close();
    }
  }
}
