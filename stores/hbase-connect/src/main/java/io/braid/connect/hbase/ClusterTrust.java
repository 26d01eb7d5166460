package io.braid.connect.hbase;

import io.braid.BraidConfig;
import io.braid.ConfigurationException;
import io.braid.Setting;
import io.braid.core.net.Tls;
import io.braid.server.coordinator.Trust;
import java.nio.file.Path;
import java.util.Optional;

/** How the processes on a database know each other, from their configuration. */
final class ClusterTrust {
  private ClusterTrust() {}

  /**
   * @throws ConfigurationException when a file is missing, or is not what it should be
   */
  static Trust of(BraidConfig config) {
    Optional<Path> certificate = config.get(Setting.CLUSTER_TLS_CERTIFICATE);
    Optional<Path> key = config.get(Setting.CLUSTER_TLS_KEY);
    Optional<Path> authorities = config.get(Setting.CLUSTER_TLS_AUTHORITIES);
    if (certificate.isPresent() != key.isPresent() || key.isPresent() != authorities.isPresent()) {
      throw new ConfigurationException(
          "TLS between processes needs cluster.tls-certificate, cluster.tls-key and"
              + " cluster.tls-authorities, or none of them.");
    }
    try {
      return new Trust(
          certificate.map(
              each -> Tls.following(each, key.orElseThrow(), authorities.orElseThrow())),
          config.get(Setting.CLUSTER_OPEN) == Setting.Switch.ON);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(String.valueOf(e.getMessage()));
    }
  }
}
