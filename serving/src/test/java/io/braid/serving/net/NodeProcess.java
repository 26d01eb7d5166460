package io.braid.serving.net;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.NodeDirectory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A node in a process of its own, until it is killed: directory, port, bytes a second. */
final class NodeProcess {
  private NodeProcess() {}

  public static void main(String[] args) throws Exception {
    SystemSeams seams = new SystemSeams();
    NodeDirectory node = NodeDirectory.own(Path.of(args[0]), seams);
    NodeService.Options options =
        new NodeService.Options(Search.BINARY, Long.parseLong(args[2]), 200L << 20, 2, 2);
    NodeService service = new NodeService(seams, node, options);
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
    HttpNodeServer http = new HttpNodeServer(seams, service, address, "");
    System.out.println(http.address().getPort());
    Thread.currentThread().join();
  }
}
