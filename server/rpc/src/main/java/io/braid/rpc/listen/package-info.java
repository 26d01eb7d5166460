/** The common part of all gRPC listeners: bounds of connections. */
package io.braid.rpc.listen;
