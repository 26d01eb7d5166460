/** The common part of all gRPC listeners: bounds of connections. */
@API(status = API.Status.INTERNAL)
package io.braid.rpc.listen;

import org.apiguardian.api.API;
