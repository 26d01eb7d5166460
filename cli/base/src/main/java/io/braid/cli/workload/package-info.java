/**
 * The verbs that test isolation: {@link WorkloadCommand} runs clients and writes their history,
 * {@link CheckCommand} judges a history. Clients work in this process, in processes that are
 * killed, or through a server.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.workload;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
