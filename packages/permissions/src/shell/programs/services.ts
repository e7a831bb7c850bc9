import { each, type Program, type Usage } from '../program.ts'

/** Runs what follows: a rule must name it. */
const runner: Usage = {
  operandsReach: 'runs the command that follows',
  bare: 'starts a shell',
  early: true,
  wrapper: {},
}

const runners = each('run exec x shell develop dlx runner console repl ssh eval with tool', runner)

/** Programs of many commands, each of which a rule may name: `Bash(gh pr view:*)`. */
export const services: readonly Program[] = [
  {
    names: `
      pip pip3 conda mamba micromamba poetry pipenv pdm hatch uv rye gem bundle bundler composer
      luarocks nuget opam rustup asdf mise rtx pyenv rbenv vcpkg conan pod carthage raco dub
      shards nimble pub flutter expo ionic cordova ng nest rails symfony devbox direnv nix guix
      flox devenv op doppler infisical chamber aws-vault`,
    commands: runners,
    otherwise: 'brings code of others, or changes how it is found',
    wrapper: { vague: true },
  },
  {
    names: 'apt apt-get aptitude dnf yum zypper brew port snap flatpak apk pkg winget choco scoop',
    commands: {},
    otherwise: 'brings programs of others, or changes which there are',
  },
  {
    names: 'gh glab',
    commands: each('extension alias codespace', runner),
    otherwise: 'speaks to a service in the name of its user',
    wrapper: { vague: true },
  },
  {
    names: `
      hub aws gcloud gsutil az doctl heroku fly flyctl vercel netlify wrangler firebase
      supabase railway tailscale`,
    commands: runners,
    otherwise: 'speaks to a service in the name of its user',
    wrapper: { vague: true },
  },
  {
    names:
      'terraform tofu terragrunt pulumi hg svn jj fossil darcs bzr systemctl loginctl timedatectl hostnamectl busctl service',
    commands: runners,
    otherwise: 'is not known to be harmless',
    readsFolderSettings: true,
    wrapper: { vague: true },
  },
]
