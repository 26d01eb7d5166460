package io.braid.core.net;

import java.security.KeyManagementException;
import java.security.SecureRandom;
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
 * Certificates for TLS that can be replaced while somebody listens with them. Connections that are
 * open go on with those they began with; each new one is made with the newest. Sessions are not
 * taken over: whoever resumes one made with older certificates has to show its own again, so that
 * an authority that is trusted no more lets nobody in.
 */
public final class LiveContext {
  private final Current current;
  private final SSLContext context;

  /**
   * @param first that connections are made with until it is replaced
   */
  public LiveContext(SSLContext first) {
    this.current = new Current(first);
    this.context = new Shown(current, first);
  }

  /** For whoever listens: always the same, and made of the newest certificates. */
  public SSLContext context() {
    return context;
  }

  /** From now on connections are made with another one. */
  public void replace(SSLContext next) {
    current.context = next;
  }

  private static final class Shown extends SSLContext {
    private Shown(SSLContextSpi spi, SSLContext first) {
      super(spi, first.getProvider(), first.getProtocol());
    }
  }

  /** Asks the newest context for everything. */
  private static final class Current extends SSLContextSpi {
    private volatile SSLContext context;

    private Current(SSLContext first) {
      this.context = first;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("It has its certificates already: replace it.");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return context.getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return context.getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return context.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return context.createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context.getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return context.getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return context.getSupportedSSLParameters();
    }
  }
}
