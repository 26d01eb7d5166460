/**
 * A model of the whole product: what every program may observe, without concurrency ({@code
 * Model}), and random programs that do the same to a database and to the model ({@code ModelRun}).
 * Every program mixes a random part of the features, and what met what is counted ({@code
 * Meetings}).
 */
@NullMarked
package io.braid.lab.model;

import org.jspecify.annotations.NullMarked;
