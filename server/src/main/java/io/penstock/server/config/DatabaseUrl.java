package io.penstock.server.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a database is, from either of the usual forms: {@code postgres://user:password@host/db} or
 * {@code jdbc:postgresql://host/db?user=…&password=…}.
 *
 * @param jdbcUrl without user and password; other parameters are kept
 * @param user empty = the driver's own choice
 * @param password empty = none
 */
public record DatabaseUrl(String jdbcUrl, String user, String password) {
  private static final String JDBC = "jdbc:postgresql:";
  private static final Pattern CREDENTIALS_IN_AUTHORITY = Pattern.compile("//[^/@]*@");
  private static final Pattern CREDENTIALS_IN_QUERY =
      Pattern.compile("(?i)([?&](?:user|password|sslpassword)=)[^&]*");

  /**
   * Reads a URL.
   *
   * @throws ConfigException when it is none of a Postgres database; the message does not repeat it
   */
  public static DatabaseUrl parse(String text) {
    boolean jdbc = text.startsWith(JDBC);
    if (!jdbc && !text.startsWith("postgres://") && !text.startsWith("postgresql://")) {
      throw new ConfigException(
          "database.url: wanted postgres://user:password@host:port/database or"
              + " jdbc:postgresql://host:port/database, got something else (%d characters)"
                  .formatted(text.length()));
    }
    URI uri;
    try {
      uri = new URI(jdbc ? text.substring("jdbc:".length()) : text);
    } catch (URISyntaxException e) {
      throw new ConfigException(
          "database.url: not a URL at character %d; special characters in user and password are"
                  .formatted(e.getIndex())
              + " written as %XX");
    }
    if (uri.getHost() == null || uri.getPath() == null || uri.getPath().length() < 2) {
      throw new ConfigException(
          "database.url: wanted a host and a database, as in postgres://user@host:5432/penstock");
    }
    return split(uri);
  }

  /** The URL with user, password and the like replaced. */
  public static String masked(String text) {
    String noAuthority = CREDENTIALS_IN_AUTHORITY.matcher(text).replaceAll("//***@");
    return CREDENTIALS_IN_QUERY.matcher(noAuthority).replaceAll("$1***");
  }

  private static DatabaseUrl split(URI uri) {
    String user = "";
    String password = "";
    if (uri.getRawUserInfo() != null) {
      String[] parts = uri.getRawUserInfo().split(":", 2);
      user = decoded(parts[0]);
      password = parts.length == 2 ? decoded(parts[1]) : "";
    }
    List<String> kept = new ArrayList<>();
    String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    for (String parameter : query.split("&", -1)) {
      if (parameter.startsWith("user=")) {
        user = decoded(parameter.substring("user=".length()));
      } else if (parameter.startsWith("password=")) {
        password = decoded(parameter.substring("password=".length()));
      } else if (!parameter.isEmpty()) {
        kept.add(parameter);
      }
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String rest = kept.isEmpty() ? "" : "?" + String.join("&", kept);
    return new DatabaseUrl(
        "%s//%s%s%s%s".formatted(JDBC, uri.getHost(), port, uri.getRawPath(), rest),
        user,
        password);
  }

  private static String decoded(String text) {
    // URLDecoder is for forms, where a plus means a blank; in a URL it means itself.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "DatabaseUrl[%s, user %s]".formatted(jdbcUrl, user);
  }
}
