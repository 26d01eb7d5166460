package io.braid.gateway.access;

import java.net.InetAddress;
import java.util.Optional;

/**
 * What is known of who asks, before anybody has looked who that is.
 *
 * @param host by which name, and port, the server was asked
 * @param certificate the whole name of the one that was shown and vouched for
 */
public record Caller(
    InetAddress from, String host, Optional<String> token, Optional<String> certificate) {}
