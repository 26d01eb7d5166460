package io.braid.cli.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.Main;
import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Fault 42: a job that names the wrong cluster ends at once, and leaves nothing (section 4.3). */
class WrongAddressTest {
  @TempDir Path dir;

  @Test
  void aLoadIntoAClusterThatIsNotThereEndsBeforeItBegins() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path site =
        Files.writeString(
            dir.resolve("hbase-site.xml"),
            "<configuration>"
                + property("hbase.zookeeper.quorum", "127.0.0.1")
                + property("hbase.zookeeper.property.clientPort", String.valueOf(port))
                + "</configuration>");
    Path config = Files.writeString(dir.resolve("braid.conf"), "hbase.site = " + site + "\n");
    Path input = Files.writeString(dir.resolve("people.csv"), "id,name\n1,Ada\n");
    StringWriter err = new StringWriter();
    CommandLine braid = Main.commandLine().setErr(new PrintWriter(err));
    long begun = System.nanoTime();
    int code =
        braid.execute(
            ("load people "
                    + input
                    + " --key id --family info --job j --store hbase --config "
                    + config
                    + " --data "
                    + dir
                    + " --jobs "
                    + dir.resolve("jobs"))
                .split(" "));
    assertThat(code).as(err.toString()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(err.toString())
        .contains("ZooKeeper at 127.0.0.1:" + port + " does not answer: is the cluster running?");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(1));
    assertThat(dir.resolve("jobs")).doesNotExist();
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }
}
