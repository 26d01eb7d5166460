/**
 * The verbs for key groups: {@link GroupCommand} uses a group, {@link GroupNodeCommand} runs a node
 * that leads groups.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.groups;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
