package io.braid.groups.protocol;

/** A message on its way between two nodes, which may be the same. */
public record Envelope(String from, String to, Message message) {}
