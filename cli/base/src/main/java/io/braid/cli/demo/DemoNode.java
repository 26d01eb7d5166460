package io.braid.cli.demo;

import io.braid.core.runtime.Seams;
import io.braid.serving.net.HttpNodeServer;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.NodeDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A node inside this process, on a free port of this machine. */
public record DemoNode(NodeDirectory directory, NodeService service, HttpNodeServer http)
    implements AutoCloseable {

  public static DemoNode start(Seams seams, Path path) throws IOException {
    return start(seams, path, 0);
  }

  /**
   * @param port 0 for any
   */
  public static DemoNode start(Seams seams, Path path, int port) throws IOException {
    NodeDirectory directory = NodeDirectory.own(path, seams);
    NodeService service = new NodeService(seams, directory, NodeService.Options.defaults());
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return new DemoNode(directory, service, new HttpNodeServer(seams, service, at, ""));
  }

  public String url() {
    return "http://127.0.0.1:" + http.address().getPort();
  }

  @Override
  public void close() throws IOException {
    http.close();
    service.close();
    directory.close();
  }
}
