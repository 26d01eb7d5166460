/**
 * Change feeds into topics of Apache Kafka, by its own client. Begin with {@link
 * io.braid.changes.kafka.KafkaSink}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.changes.kafka;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
