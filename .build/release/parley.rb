class Parley < Formula
  desc "Team chat server in one file that speaks the Zulip HTTP API"
  homepage "@URL@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@URL@parley-@VERSION@-macos-arm64.tar.gz"
      sha256 "@SHA256:macos-arm64@"
    end
    on_intel do
      url "@URL@parley-@VERSION@-macos-x64.tar.gz"
      sha256 "@SHA256:macos-x64@"
    end
  end

  on_linux do
    on_arm do
      url "@URL@parley-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256:linux-arm64@"
    end
    on_intel do
      url "@URL@parley-@VERSION@-linux-x64.tar.gz"
      sha256 "@SHA256:linux-x64@"
    end
  end

  def install
    bin.install "parley"
  end

  service do
    run [opt_bin/"parley", "serve", "--data", var/"parley"]
    keep_alive crashed: true
    log_path var/"log/parley.log"
    error_log_path var/"log/parley.log"
  end

  test do
    assert_match "Parley #{version}", shell_output("#{bin}/parley --version")
  end
end
