package io.braid.server.coordination;

/**
 * A process that shares a database.
 *
 * @param token its liveness token
 * @param description where it runs, for people to read
 */
public record Member(String token, String description) {}
