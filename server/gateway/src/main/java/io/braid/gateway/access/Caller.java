package io.braid.gateway.access;

import java.net.InetAddress;
import java.util.Optional;

/**
 * The facts about a caller that are known before the identity is looked up.
 *
 * @param host the name and port under which the server was asked
 * @param certificate the whole name of the certificate that was shown and verified
 */
public record Caller(
    InetAddress from, String host, Optional<String> token, Optional<String> certificate) {}
