package io.braid.groups.node;

/** Another node has to be asked. */
final class ElsewhereException extends RuntimeException {
  private final String address;

  ElsewhereException(String address) {
    super("Ask the node at " + address + ".", null, false, false);
    this.address = address;
  }

  String address() {
    return address;
  }
}
