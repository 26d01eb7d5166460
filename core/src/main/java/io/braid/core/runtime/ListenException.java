package io.braid.core.runtime;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import org.apiguardian.api.API;

/** An address that cannot be listened on, which the system's own words do not name. */
@API(status = API.Status.EXPERIMENTAL)
public final class ListenException extends IOException {
  public ListenException(InetSocketAddress address, BindException cause) {
    super(
        "Nothing can listen on "
            + address.getHostString()
            + ":"
            + address.getPort()
            + ": "
            + cause.getMessage()
            + ". Choose another port, or end what listens there.",
        cause);
  }
}
