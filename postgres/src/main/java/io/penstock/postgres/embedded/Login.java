package io.penstock.postgres.embedded;

import io.penstock.budget.SystemAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Properties;

/** The one role, its generated password and its database. */
record Login(Path passwordFile, String password) {
  static final String USER = "penstock";
  static final String DATABASE = "penstock";

  private static final String FIRST_DATABASE = "postgres";
  private static final int PASSWORD_BYTES = 24;

  /** Seconds for a connection or an answer, on one machine. */
  private static final String PATIENCE = "10";

  /** Reads the password, or makes one and keeps it where only the owner of the file may read. */
  static Login in(Path root) throws IOException {
    Path file = root.resolve("password");
    if (!Files.exists(file)) {
      Path fresh = root.resolve("password.new");
      Files.deleteIfExists(fresh);
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(fresh, generate());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return new Login(file, Files.readString(file).strip());
  }

  static String url(int port) {
    return url(port, DATABASE);
  }

  /** Connects, and makes the database when it is not there yet. */
  void prepare(int port) throws SQLException {
    try (Connection connection = connect(port);
        PreparedStatement find =
            connection.prepareStatement("select 1 from pg_database where datname = ?")) {
      find.setString(1, DATABASE);
      try (ResultSet found = find.executeQuery()) {
        if (found.next()) {
          return;
        }
      }
      try (Statement create = connection.createStatement()) {
        create.execute("create database " + DATABASE);
      }
    }
  }

  private Connection connect(int port) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", USER);
    properties.setProperty("password", password);
    properties.setProperty("connectTimeout", PATIENCE);
    properties.setProperty("socketTimeout", PATIENCE);
    return DriverManager.getConnection(url(port, FIRST_DATABASE), properties);
  }

  private static String url(int port, String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  @SystemAccess("a password must not be predictable")
  private static String generate() {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
