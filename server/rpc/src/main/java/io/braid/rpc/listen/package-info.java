/** What all that listens for gRPC has in common: bounds of connections. */
package io.braid.rpc.listen;
