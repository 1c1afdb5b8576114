package io.penstock.postgres.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class on Postgres: constructors, tests and lifecycle methods may take a {@link
 * TestDatabase}, which is the class's own, freshly cloned from the migrated template, in an odd
 * time zone.
 *
 * <p>One Postgres serves the whole JVM: an embedded one without fsync, or that of the environment
 * variable {@code PENSTOCK_TEST_DATABASE_URL}, a JDBC URL with user and password of a role that may
 * create databases.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(PostgresExtension.class)
public @interface PostgresTest {}
