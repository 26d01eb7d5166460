/** Workloads whose clients come to a server over a network: by gRPC, or by HTTP. */
@NullMarked
package io.braid.cli.remote;

import org.jspecify.annotations.NullMarked;
