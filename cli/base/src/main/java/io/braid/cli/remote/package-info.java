/** Workloads whose clients come to a server over a network: by gRPC, or by HTTP. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.remote;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
