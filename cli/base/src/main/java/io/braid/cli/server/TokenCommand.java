package io.braid.cli.server;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.gateway.access.Grant;
import io.braid.gateway.access.Identities;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a token. */
@Command(
    name = "token",
    description = {
      "Makes a token for a client of a server, and the line by which the server knows it.",
      "The line, which goes into the file of server.identities, does not tell the token."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid token loader --grant write:accounts --grant 'read:web.*'",
      "  braid token operator --grant 'admin:*' --json"
    })
public final class TokenCommand implements Callable<Integer> {
  private static final int BYTES = 32;

  @Parameters(paramLabel = "NAME", description = "Of the identity, as the audit log will show it.")
  String name = "";

  @Option(
      names = "--grant",
      paramLabel = "ROLE:WHAT",
      required = true,
      description =
          "read, write or admin on a table, store/NAME, *, or the beginning of names and *.")
  List<String> grants = List.of();

  @Mixin OutputOptions output = new OutputOptions();

  /** Returns a new token. */
  static String random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public Integer call() {
    if (!name.matches("[A-Za-z0-9_.@-]{1,64}")) {
      throw new UsageException("A name has letters, digits and '_.@-', at most 64.");
    }
    String granted =
        grants.stream().map(each -> Grant.parse(each).toString()).collect(Collectors.joining(","));
    String token = random();
    String line = name + " sha256:" + Identities.hash(token) + " " + granted;
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("token", token);
    object.put("line", line);
    output.print(
        object,
        "Token, for the client (shown only now):%n  %s%nLine, for the server:%n  %s"
            .formatted(token, line));
    return ExitCode.DONE;
  }
}
