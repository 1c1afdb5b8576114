package io.penstock.postgres.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** See {@link PostgresTest}. */
public final class PostgresExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(PostgresExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestDatabase.class;
  }

  @Override
  public TestDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestServer server =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(TestServer.class, key -> TestServer.start(), TestServer.class);
    return outermost(context)
        .getStore(NAMESPACE)
        .computeIfAbsent(
            ClassDatabase.class,
            key -> new ClassDatabase(server, server.create()),
            ClassDatabase.class)
        .database();
  }

  // Nested classes and the tests within share the database of the class in the file's name.
  private static ExtensionContext outermost(ExtensionContext context) {
    ExtensionContext found = context;
    for (ExtensionContext at = context;
        at.getTestClass().isPresent();
        at = at.getParent().orElseThrow()) {
      found = at;
    }
    return found;
  }

  /** Dropped when its class is done. */
  private record ClassDatabase(TestServer server, TestDatabase database) implements AutoCloseable {
    @Override
    public void close() {
      server.drop(database);
    }
  }
}
