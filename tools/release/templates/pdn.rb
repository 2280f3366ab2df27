# The formula of Homebrew.
class Pdn < Formula
  desc "{{description}}"
  homepage "{{homepage}}"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "{{url}}/{{file aarch64-apple-darwin}}"
      sha256 "{{sha256 aarch64-apple-darwin}}"
    end
    on_intel do
      url "{{url}}/{{file x86_64-apple-darwin}}"
      sha256 "{{sha256 x86_64-apple-darwin}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url}}/{{file aarch64-unknown-linux-musl}}"
      sha256 "{{sha256 aarch64-unknown-linux-musl}}"
    end
    on_intel do
      url "{{url}}/{{file x86_64-unknown-linux-musl}}"
      sha256 "{{sha256 x86_64-unknown-linux-musl}}"
    end
  end

  def install
    bin.install "pdn"
    (share/"pdn").install "module" if File.directory?("module")
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/pdn.bash" => "pdn"
    zsh_completion.install "completions/_pdn"
    fish_completion.install "completions/pdn.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pdn --version")
  end
end
