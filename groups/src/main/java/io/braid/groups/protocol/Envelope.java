package io.braid.groups.protocol;

import org.apiguardian.api.API;

/**
 * A message on its way between two nodes, which may be the same.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Envelope(String from, String to, Message message) {}
