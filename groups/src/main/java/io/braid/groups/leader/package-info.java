/**
 * The leader of key groups in a process. {@link io.braid.groups.leader.GroupLeader} is the place to
 * begin. It forms and deletes groups, keeps each one that it leads as a {@code LedGroup}, takes up
 * the groups of leaders that are gone, and ships commits to the store. {@link
 * io.braid.groups.leader.Followers} decides how it gets the keys.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.groups.leader;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
