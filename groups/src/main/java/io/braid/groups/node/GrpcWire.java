package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNames;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import javax.net.ssl.SSLContext;

/**
 * How nodes talk by gRPC: one method, a stream of bytes in both directions. The content of the
 * bytes is specified with the other formats of groups, so there is no other description of it.
 */
final class GrpcWire {
  static final long MAGIC = 0x4252_4149_4447_5231L; // BRAIDGR1

  /** The number of a packet, before it. */
  static final int HEAD = Long.BYTES;

  static final MethodDescriptor<Bytes, Bytes> CARRY =
      MethodDescriptor.<Bytes, Bytes>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("braid.groups.Messages/Carry")
          .setRequestMarshaller(new Raw())
          .setResponseMarshaller(new Raw())
          .build();

  private GrpcWire() {}

  /** Passes bytes unchanged. Their length is checked before they come here. */
  private static final class Raw implements MethodDescriptor.Marshaller<Bytes> {
    @Override
    public InputStream stream(Bytes bytes) {
      return new SizedStream(bytes.toArray());
    }

    @Override
    public Bytes parse(InputStream from) {
      try {
        byte[] bytes = from.readAllBytes();
        return Bytes.wrap(bytes, 0, bytes.length);
      } catch (IOException e) {
        throw Status.INVALID_ARGUMENT.withCause(e).asRuntimeException();
      }
    }
  }

  private static final class SizedStream extends ByteArrayInputStream implements KnownLength {
    SizedStream(byte[] bytes) {
      super(bytes);
    }
  }

  /** TLS with certificates at both ends, over HTTP/2. */
  static SslContext tls(SSLContext context, boolean client) {
    ApplicationProtocolConfig http2 =
        new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);
    return new JdkSslContext(
        context,
        client,
        null,
        IdentityCipherSuiteFilter.INSTANCE,
        http2,
        client ? ClientAuth.NONE : ClientAuth.REQUIRE,
        new String[] {"TLSv1.3", "TLSv1.2"},
        false);
  }
}
