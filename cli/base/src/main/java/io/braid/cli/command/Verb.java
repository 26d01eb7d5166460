package io.braid.cli.command;

/**
 * A verb from another package or artifact: a command as picocli takes it, found by {@link
 * java.util.ServiceLoader}.
 */
public interface Verb {}
