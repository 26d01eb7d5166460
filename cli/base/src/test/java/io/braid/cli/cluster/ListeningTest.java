package io.braid.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.CommandRun;
import io.braid.cli.command.Banner;
import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes that listen say of where they do, and of ports that they do not get. */
class ListeningTest {
  @TempDir Path dir;

  private static ServerSocket taken() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private CommandRun fails(String line, int port) {
    CommandRun run =
        CommandRun.of(line.replace("DIR", dir.toString()).replace("PORT", String.valueOf(port)));
    assertThat(run.code()).as(line + "\n" + run.out() + run.err()).isEqualTo(ExitCode.FAILED);
    return run;
  }

  @Test
  void aPortThatIsTakenIsNamedWithTheOptionThatChoosesAnother() throws IOException {
    try (ServerSocket taken = taken()) {
      int port = taken.getLocalPort();
      String nothing = "Nothing can listen on 127.0.0.1:" + port;
      String server =
          "server --data DIR/data --set server.stores=DIR/stores --set store.memory=16MiB"
              + " --set server.listen=127.0.0.1:";
      assertThat(fails(server + "PORT", port).err()).contains(nothing, "--set server.listen=");
      assertThat(fails(server + "0 --set server.grpc=127.0.0.1:PORT", port).err())
          .contains(nothing, "--set server.grpc=");
      assertThat(fails("serve --node DIR/node --redis 0 --http PORT", port).err())
          .contains(nothing, "--http");
      assertThat(fails("serve --node DIR/node --http 0 --redis PORT", port).err())
          .contains(nothing, "--redis");
      assertThat(fails("serve --node DIR/node --http 0 --redis 0 --grpc PORT", port).err())
          .contains(nothing, "--grpc");
    }
  }

  @Test
  void thePortsOfAServerAndOfANodeOfStoresAreNotTheSame() {
    ServeCommand serve = new ServeCommand();
    assertThat(serve.httpPort).isNotIn(7800, 7801);
    assertThat(serve.redisPort).isNotIn(7800, 7801);
  }

  @Test
  void whoAsksAPortForAnotherProtocolIsToldSo() throws Exception {
    try (ServerSocket door = taken()) {
      Thread other =
          new Thread(
              () -> {
                try {
                  while (true) {
                    try (Socket socket = door.accept()) {
                      socket.getInputStream().read(new byte[8192]);
                      socket.getOutputStream().write("-ERR\r\n".getBytes(StandardCharsets.UTF_8));
                    }
                  }
                } catch (IOException e) {
                  // The door is closed.
                }
              });
      other.start();
      String at = "http://127.0.0.1:" + door.getLocalPort();
      for (String line :
          new String[] {
            "cluster show --cluster " + at,
            "store get people 1 --nodes " + at,
            "store versions people --to " + at
          }) {
        CommandRun run = CommandRun.of(line);
        assertThat(run.code()).isNotZero();
        assertThat(run.err()).as(line).contains("answers, but not over HTTP", "braid serve");
      }
      door.close();
      other.join();
    }
  }

  @Test
  void aBannerSaysWhatIsWhereForWhomAndWhatComesNext() {
    String text =
        new Banner("Serving d, " + Banner.reach(new InetSocketAddress("127.0.0.1", 1)) + ".")
            .door("http://127.0.0.1:7800", "for browsers")
            .door("127.0.0.1:7801", "for programs")
            .then("Next: go on.");

    assertThat(text.lines())
        .containsExactly(
            "Serving d, for this machine only.",
            "  http://127.0.0.1:7800  for browsers",
            "  127.0.0.1:7801         for programs",
            "Next: go on.");
    assertThat(Banner.reach(new InetSocketAddress("0.0.0.0", 1)))
        .isEqualTo("for all machines that reach this one");
    assertThat(Banner.text(new InetSocketAddress("::1", 7801))).isEqualTo("[0:0:0:0:0:0:0:1]:7801");
  }
}
