package io.braid.core.net;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * Certificates for TLS that can be replaced while a server listens with them. Open connections keep
 * the certificates that they began with; each new connection uses the newest. Sessions are not
 * taken over: a client that resumes a session made with older certificates has to show its own
 * certificate again. So an authority that is no longer trusted lets no client in.
 */
public final class LiveContext {
  private final SSLContext context;
  private volatile SSLContext newest;

  /**
   * @param first that connections are made with until it is replaced
   */
  public LiveContext(SSLContext first) {
    this.newest = first;
    this.context = of(() -> newest);
  }

  /**
   * Returns the context for servers and clients: always the same object, with the newest
   * certificates.
   *
   * @param newest asked for each connection
   */
  static SSLContext of(Supplier<SSLContext> newest) {
    return new DelegatingContext(new CurrentContext(newest), newest.get());
  }

  /** Returns the context for servers: always the same object, with the newest certificates. */
  public SSLContext context() {
    return context;
  }

  /** Replaces the certificates: later connections are made with the new context. */
  public void replace(SSLContext next) {
    newest = next;
  }

  private static final class DelegatingContext extends SSLContext {
    private DelegatingContext(SSLContextSpi spi, SSLContext first) {
      super(spi, first.getProvider(), first.getProtocol());
    }
  }

  /** Asks the newest context for everything. */
  private static final class CurrentContext extends SSLContextSpi {
    private final Supplier<SSLContext> newest;

    private CurrentContext(Supplier<SSLContext> newest) {
      this.newest = newest;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("It has its certificates already: replace it.");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return newest.get().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return newest.get().getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return newest.get().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return newest.get().createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return newest.get().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return newest.get().getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return newest.get().getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return newest.get().getSupportedSSLParameters();
    }
  }
}
