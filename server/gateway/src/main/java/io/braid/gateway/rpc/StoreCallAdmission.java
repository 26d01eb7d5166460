package io.braid.gateway.rpc;

import io.braid.core.runtime.Seams;
import io.braid.gateway.CallAdmission;
import io.braid.gateway.GatewayCore;
import io.braid.gateway.GatewayCore.Handler;
import io.braid.gateway.GatewayCore.RequestRecord;
import io.braid.gateway.access.Allowance;
import io.braid.gateway.access.Caller;
import io.braid.gateway.access.Grant;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.http.HttpRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets everybody read. Changes need the token of the node, or, if the node has no token, a caller
 * on this machine. Refusals because of the caller go to the log.
 */
final class StoreCallAdmission implements CallAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(StoreCallAdmission.class);

  /** A caller without proof of identity. */
  private static final Identity READER =
      new Identity("reader", List.of(new Grant(Role.READ, "store/*")), Allowance.USUAL);

  private final Seams seams;
  private final String token;

  StoreCallAdmission(Seams seams, String token) {
    this.seams = seams;
    this.token = token;
  }

  @Override
  public Seams seams() {
    return seams;
  }

  @Override
  public Identity identity(RequestRecord asked, Caller caller) {
    if (token.isEmpty()) {
      return caller.from().isLoopbackAddress() ? Identity.LOCAL : READER;
    }
    if (caller.token().isEmpty()) {
      return READER;
    }
    if (!MessageDigest.isEqual(bytes(caller.token().get()), bytes(token))) {
      LOG.warn("A call of {} from {} came with a wrong token.", asked.path(), asked.from());
      throw new HttpRefusal(401, "unauthorized", "This is not the token of this node.");
    }
    return Identity.LOCAL;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void requireServing(boolean begun) {}

  @Override
  public <R> R noted(RequestRecord asked, Identity identity, boolean changes, Handler<R> answer)
      throws IOException {
    try {
      return answer.give(identity);
    } catch (RuntimeException e) {
      if (GatewayCore.refusal(e).status() == 403) {
        LOG.warn("A call of {} from {} was refused.", asked.path(), asked.from());
      }
      throw e;
    }
  }

  @Override
  public void measured(RequestRecord asked, int status, long nanos) {}
}
