import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { isInside } from '../paths/inside.ts'
import { absolutePathFolders, isInAny } from '../paths/programs.ts'
import type { Environment } from '../process/environment.ts'
import type { Policy } from './sandbox.ts'

/**
 * The only folders of a home folder that sandboxed commands can see, read-only: programs, and packages that are already
 * downloaded. Nothing listed here may contain keys, so `.cargo/bin` is listed and `.cargo` isn't.
 */
const TOOLCHAINS = `
  .local/bin .local/lib bin .nix-profile .local/state/nix/profiles .linuxbrew homebrew
  .nvm .volta .fnm .local/share/fnm .nodenv .n .proto .npm-global/bin .npm-global/lib .local/share/pnpm .yarn/bin
  .config/yarn/global/node_modules .bun/bin .bun/install/global .deno/bin
  .pyenv .local/share/uv/python .local/share/uv/tools .local/pipx .local/share/pipx .local/share/pypoetry/venv .rye/shims .rye/py .rye/tools
  .local/share/virtualenvs .virtualenvs .pixi/bin .pixi/envs .conda/envs .conda/pkgs
  miniconda3 anaconda3 miniforge3 mambaforge micromamba
  .cargo/bin .cargo/registry .cargo/git .rustup go/bin go/pkg .goenv .gvm sdk
  .sdkman .jenv .jabba .m2/repository .m2/wrapper .gradle/wrapper .konan Android/Sdk
  .rbenv .rvm .gem/ruby .local/share/gem/ruby .phpenv .composer/vendor .config/composer/vendor perl5 .plenv
  .luarocks/bin .luarocks/lib .luarocks/share .ghcup/bin .ghcup/ghc .cabal/bin .cabal/packages .stack/programs
  .stack/snapshots .opam .elan .juliaup .julia/juliaup .julia/packages .julia/artifacts .swiftly .mix/elixir
  .mix/archives .mix/escripts .kerl .nimble/bin .choosenim .pub-cache/bin .pub-cache/hosted flutter
  .dotnet/sdk .dotnet/shared .dotnet/host .dotnet/packs .dotnet/tools .dotnet/dotnet .nuget/packages
  .asdf .local/share/mise .local/share/rtx .tfenv .krew/bin .pulumi/bin .foundry/bin .wasmer/bin .wasmtime/bin
  .cache/ms-playwright .cache/puppeteer .cache/go-build .cache/pre-commit`

/** Variables that say where such a folder is. */
const TOOLCHAIN_VARIABLES =
  'NVM_DIR VOLTA_HOME FNM_DIR PNPM_HOME PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX RUSTUP_HOME GOROOT SDKMAN_DIR JAVA_HOME GRADLE_HOME MAVEN_HOME ANDROID_HOME ANDROID_SDK_ROOT RBENV_ROOT ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR DOTNET_ROOT PLAYWRIGHT_BROWSERS_PATH'

/** Folders of the home folder that commands can write to: each run has its own, empty at first. */
const CACHES =
  '.cache .npm .yarn/berry .m2 .gradle .ivy2 .sbt .nuget .gem .bundle .composer/cache .pub-cache .cargo/registry .cargo/git go/pkg .ccache .pki .local/share/virtualenvs'

/** A folder or file that commands see, and where it really is. */
export interface Shown {
  readonly source: string
  readonly target: string
}

/**
 * Creates the home folder that commands see: caches that they can write to, and git's identity. Nothing else can be created in it,
 * so that no command seems to write to the real one.
 */
export async function makePrivateHome(
  folder: string,
  git: string | undefined,
  env: Environment,
): Promise<void> {
  const readOnly = new Set([folder])
  for (const name of words(CACHES)) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    for (let each = dirname(join(folder, name)); each !== folder; each = dirname(each))
      readOnly.add(each)
  }
  const identity = git === undefined ? '' : await gitIdentity(git, env)
  writeFileSync(join(folder, '.gitconfig'), identity, { mode: 0o444 })
  for (const each of readOnly) if (!isCache(relative(folder, each))) chmodSync(each, 0o555)
}

const isCache = (name: string): boolean => words(CACHES).includes(name)

/** The user's settings of git that contain no credentials and run nothing. */
async function gitIdentity(git: string, env: Environment): Promise<string> {
  const args = ['config', '--global', '--includes', '--list', '-z']
  const options = { cwd: '/', env: env as NodeJS.ProcessEnv, timeout: 2000 }
  // There are no settings, or one of the files is a pipe.
  const { stdout } = await promisify(execFile)(git, args, options).catch(() => ({ stdout: '' }))
  return stdout
    .split('\0')
    .flatMap((line) => {
      const [key = '', value] = line.split('\n', 2)
      const [section, name] = key.split('.', 2)
      if (value === undefined || !GIT_SETTINGS.includes(key)) return []
      return `[${section}]\n\t${name} = "${value.replaceAll(/[\\"]/g, '\\$&')}"\n`
    })
    .join('')
}

const GIT_SETTINGS =
  'user.name user.email init.defaultbranch pull.rebase pull.ff merge.conflictstyle diff.algorithm core.autocrlf'.split(
    ' ',
  )

/**
 * The folders with programs and packages that commands can read, in the home folder or where the user's variables say they are.
 * None is in a folder that commands can write to, or leads through one: there, a command could make a link to anything.
 */
export function toolchains({
  home,
  environment,
  writable,
}: Pick<Policy, 'home' | 'environment' | 'writable'>): Shown[] {
  const named = words(TOOLCHAIN_VARIABLES).flatMap((name) => environment[name] ?? [])
  const places = [
    ...words(TOOLCHAINS).map((name) => join(home, name)),
    ...[...named, ...programFolders(environment)].filter((path) => isAbsolute(path)),
  ]
  return [...new Set(places)].flatMap((target) => {
    if (!existsSync(target) || isInAny(target, writable)) return []
    const source = realpathSync.native(target)
    // A folder around the home folder would show all of it.
    return [source, target].some((path) => isInside(home, path)) ? [] : [{ source, target }]
  })
}

/** The folders of the PATH that are named as usual, and their libraries. */
function programFolders(environment: Environment): string[] {
  return absolutePathFolders(environment['PATH'] ?? '')
    .filter((folder) => ['bin', 'sbin', 'shims'].includes(basename(folder)))
    .flatMap((folder) => [folder, join(dirname(folder), 'lib'), join(dirname(folder), 'libexec')])
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
