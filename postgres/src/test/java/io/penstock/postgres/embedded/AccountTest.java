package io.penstock.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.postgres.testing.TestFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountTest {
  @TempDir Path root;

  @Test
  void root_finds_somebody_else_to_be() throws IOException {
    Bundle bundle = Bundle.unpack(TestFolders.binaries(), status -> {});
    Account account = Account.find(bundle, root.resolve("data"));

    Programs.Ended ended = Programs.run(account.command(Path.of("id"), List.of("-u")));
    assertThat(ended.output().strip()).isNotEqualTo("0");
  }

  @Test
  void where_namespaces_are_forbidden_a_system_user_owns_the_data() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can become others");
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    Bundle bundle = Bundle.unpack(root, status -> {}); // a checkout may lie where nobody may enter
    Account nobody = Account.systemUser("nobody").orElseThrow();
    Login login = Login.in(root);
    DataDirectory data = new DataDirectory(root.resolve("data"), bundle, nobody, false);

    data.create(login, status -> {});

    assertThat(Files.getOwner(data.path()).getName()).isEqualTo("nobody");
    assertThat(Account.find(bundle, data.path())).as("who goes on with it").isEqualTo(nobody);
    EmbeddedPostgres.start(EmbeddedOptions.under(root).withoutDurability()).close();
  }
}
