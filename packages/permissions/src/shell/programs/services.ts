import { each, type Program, type Usage } from '../program.ts'

/** Runs the command in its operands, which must be part of the rule. */
const runner: Usage = {
  operandsReach: 'runs the command that follows',
  bare: 'starts a shell',
  early: true,
  wrapper: {},
}

const runners = each('run exec x shell develop dlx runner console repl ssh eval with tool', runner)

/** Programs with many subcommands, which rules can contain: `Bash(gh pr view:*)`. */
export const services: readonly Program[] = [
  {
    names: `
      pip pip3 conda mamba micromamba poetry pipenv pdm hatch uv rye gem bundle bundler composer
      luarocks nuget opam rustup asdf mise rtx pyenv rbenv vcpkg conan pod carthage raco dub
      shards nimble pub flutter expo ionic cordova ng nest rails symfony devbox direnv nix guix
      flox devenv op doppler infisical chamber aws-vault`,
    commands: runners,
    otherwise: 'installs code from others or changes where it is found',
    wrapper: { vague: true },
  },
  {
    names: 'apt apt-get aptitude dnf yum zypper brew port snap flatpak apk pkg winget choco scoop',
    commands: {},
    otherwise: 'installs, removes or updates programs',
  },
  {
    names: 'gh glab',
    commands: each('extension alias codespace', runner),
    otherwise: 'acts on a service in the name of the user',
    wrapper: { vague: true },
  },
  {
    names: `
      hub aws gcloud gsutil az doctl heroku fly flyctl vercel netlify wrangler firebase
      supabase railway tailscale`,
    commands: runners,
    otherwise: 'acts on a service in the name of the user',
    wrapper: { vague: true },
  },
  {
    names:
      'terraform tofu terragrunt pulumi hg svn jj fossil darcs bzr systemctl loginctl timedatectl hostnamectl busctl service',
    commands: runners,
    otherwise: 'is not known to be harmless',
    obeys: 'any',
    wrapper: { vague: true },
  },
]
