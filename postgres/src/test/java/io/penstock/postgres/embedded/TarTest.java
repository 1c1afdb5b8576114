package io.penstock.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarTest {
  @TempDir Path target;

  @Test
  void unpacks_files_folders_and_links() throws IOException {
    Tar.extract(
        archive(folder("bin/"), file("bin/run", "hello", "0000755"), link("bin/again", "run")),
        target);

    assertThat(target.resolve("bin/again")).isSymbolicLink().hasContent("hello").isExecutable();
  }

  @Test
  void refuses_a_name_that_climbs_out() {
    assertThatThrownBy(() -> Tar.extract(archive(file("../evil", "x", "0000644")), target))
        .hasMessageContaining("outside the folder");
    assertThat(target.resolveSibling("evil")).doesNotExist();
  }

  @Test
  void refuses_an_absolute_name() {
    assertThatThrownBy(() -> Tar.extract(archive(file("/evil", "x", "0000644")), target))
        .hasMessageContaining("outside the folder");
  }

  @Test
  void refuses_links_that_lead_out() {
    assertThatThrownBy(() -> Tar.extract(archive(link("here", "../..")), target))
        .hasMessageContaining("points outside");
    assertThatThrownBy(() -> Tar.extract(archive(link("here", "/etc")), target))
        .hasMessageContaining("points outside");
  }

  @Test
  void refuses_to_write_through_a_link() {
    assertThatThrownBy(() ->
            Tar.extract(archive(folder("a/"), link("b", "a"), file("b/c", "x", "0000644")), target))
        .hasMessageContaining("through a symbolic link");
    assertThat(target.resolve("a/c")).doesNotExist();
  }

  @Test
  void refuses_what_it_does_not_know() {
    assertThatThrownBy(() -> Tar.extract(archive(entry("dev", '3', "", "0000644", "")), target))
        .hasMessageContaining("type '3'");
  }

  @Test
  void notices_an_archive_that_ends_early() {
    byte[] whole = file("long", "x".repeat(2000), "0000644");
    assertThatThrownBy(() -> Tar.extract(new ByteArrayInputStream(whole, 0, 1000), target))
        .hasMessageContaining("in the middle of a file");
    assertThatThrownBy(() -> Tar.extract(new ByteArrayInputStream(new byte[0]), target))
        .hasMessageContaining("without its closing block");
  }

  private static ByteArrayInputStream archive(byte[]... entries) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] entry : entries) {
      all.write(entry);
    }
    all.write(new byte[1024]);
    return new ByteArrayInputStream(all.toByteArray());
  }

  private static byte[] folder(String name) {
    return entry(name, '5', "", "0000755", "");
  }

  private static byte[] link(String name, String to) {
    return entry(name, '2', to, "0000777", "");
  }

  private static byte[] file(String name, String content, String mode) {
    return entry(name, '0', "", mode, content);
  }

  private static byte[] entry(String name, char type, String link, String mode, String content) {
    byte[] bytes = new byte[512 + (content.length() + 511) / 512 * 512];
    put(bytes, 0, name);
    put(bytes, 100, mode);
    put(bytes, 124, Integer.toOctalString(content.length()));
    bytes[156] = (byte) type;
    put(bytes, 157, link);
    put(bytes, 512, content);
    return bytes;
  }

  private static void put(byte[] bytes, int at, String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(raw, 0, bytes, at, raw.length);
  }
}
