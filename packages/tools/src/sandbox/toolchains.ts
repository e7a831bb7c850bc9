import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { isInside } from '../paths/inside.ts'
import { absolutePathFolders, isInAny, isProgram } from '../paths/programs.ts'
import type { Environment } from '../process/environment.ts'
import type { Policy } from './sandbox.ts'

/**
 * The only parts of a home folder that sandboxed commands can see, read-only: programs and
 * downloaded packages. These folders contain nothing else.
 */
const PROGRAMS = `
  .local/bin .local/lib bin .nix-profile .local/state/nix/profiles
  .yarn/bin .config/yarn/global/node_modules .bun/bin .bun/install/global/node_modules .deno/bin
  .rye/shims .pixi/bin .conda/pkgs .cargo/bin .cargo/registry .cargo/git go/bin go/pkg
  .m2/repository .m2/wrapper .gradle/wrapper .gem/ruby .local/share/gem/ruby .composer/vendor .config/composer/vendor
  .luarocks/bin .luarocks/lib .luarocks/share .ghcup/bin .ghcup/ghc .cabal/bin .cabal/packages .stack/programs
  .stack/snapshots .julia/packages .julia/artifacts .mix/elixir .mix/archives .mix/escripts
  .nimble/bin .pub-cache/bin .pub-cache/hosted .nuget/packages .krew/bin .pulumi/bin .foundry/bin .wasmer/bin .wasmtime/bin
  .cache/ms-playwright .cache/puppeteer .cache/go-build .cache/pre-commit $PLAYWRIGHT_BROWSERS_PATH`

/**
 * Toolchains that may have settings with keys next to their programs, such as `pip.conf`. Each line
 * has the folders, in the home folder or in environment variables, and the parts visible to
 * commands in addition to `USUAL`. `versions/*` means toolchains in subfolders, each with the usual
 * parts, and `+x` means programs.
 */
export const TOOLCHAINS: string = `
  .nvm $NVM_DIR: versions/node/* versions/io.js/* alias nvm.sh nvm-exec bash_completion
  .volta $VOLTA_HOME: tools layout.v*
  .fnm .local/share/fnm $FNM_DIR: node-versions/*/installation/* aliases fnm
  .pyenv $PYENV_ROOT: versions/* versions/*/envs/* versions/*/openssl shims plugins version pyenv.d src
  .rbenv $RBENV_ROOT .nodenv .goenv .phpenv .plenv .tfenv .jenv: versions/* shims plugins version rbenv.d nodenv.d candidates
  .virtualenvs .local/share/virtualenvs .local/share/uv/tools .local/share/uv/python .rye/tools .rye/py: * */BUILD
  .conda/envs .pixi/envs: * */conda-meta */ssl */compiler_compat */x86_64-conda*-linux-gnu
  $VIRTUAL_ENV .local/share/pypoetry/venv: conda-meta
  .local/pipx .local/share/pipx: venvs/* shared/* py/*
  miniconda3 anaconda3 miniforge3 mambaforge micromamba $CONDA_PREFIX: envs/* envs/*/conda-meta pkgs conda-meta condabin ssl compiler_compat shell x86_64-conda*-linux-gnu
  .n .npm-global .linuxbrew homebrew perl5: n Cellar Caskroom opt Library Homebrew Frameworks perlbrew etc/ca-certificates etc/openssl@*
  .proto: shims tools plugins
  .local/share/pnpm $PNPM_HOME: global store nodejs .tools +x
  .rustup $RUSTUP_HOME .elan: toolchains update-hashes settings.toml env
  .gvm: gos pkgsets scripts environments VERSION
  $GOROOT: api doc misc pkg src test go.env VERSION
  sdk: */api */doc */misc */pkg */src */test */go.env */VERSION *
  .sdkman $SDKMAN_DIR: candidates src libexec contrib var
  .jabba: jdk jabba.sh default.alias
  $JAVA_HOME: jre jmods legal demo conf/security conf/net.properties conf/logging.properties conf/sound.properties conf/sdp release src.zip
  $GRADLE_HOME $MAVEN_HOME: boot init.d conf/logging
  .konan: kotlin-native-* dependencies cache
  Android/Sdk $ANDROID_HOME $ANDROID_SDK_ROOT: build-tools cmake cmdline-tools emulator extras fonts licenses ndk ndk-bundle patcher platform-tools platforms skins sources system-images tools
  .rvm: gems rubies scripts environments wrappers config/db config/md5 RELEASE VERSION
  .opam: default 4.* 5.* opam-init plugins
  .juliaup .julia/juliaup: julia-* juliaup.json
  .swiftly: toolchains config.json env.sh
  .kerl: builds
  .choosenim: toolchains toolchains/* current channel
  flutter: packages dev engine examples version .git/HEAD .git/refs .git/objects .git/packed-refs .git/shallow .git/index pubspec.*
  .dotnet $DOTNET_ROOT: sdk shared host packs tools sdk-manifests templates swidtag dotnet ThirdPartyNotices.txt
  .asdf $ASDF_DIR $ASDF_DATA_DIR .local/share/mise .local/share/rtx $MISE_DATA_DIR: installs plugins shims asdf.sh asdf.fish`

/** The usual parts of a toolchain, without settings. */
const USUAL = 'bin sbin lib lib32 lib64 libexec include share pyvenv.cfg'

/** A visible file or folder, and its real path. */
export interface Shown {
  readonly source: string
  readonly target: string
}

/**
 * The readable files and folders with programs and packages, in the home folder or in the folders
 * from the user's variables. Excludes those inside writable folders or reached through one, where
 * commands could create links to any file.
 */
export function toolchains({
  home,
  environment,
  writable,
}: Pick<Policy, 'home' | 'environment' | 'writable'>): Shown[] {
  const inHome = new Set(namesIn(home))
  const placesOf = (places: string): string[] =>
    words(places)
      .flatMap((place) => {
        if (place.startsWith('$')) return environment[place.slice(1)] ?? []
        return inHome.has(place.replace(/\/.*/, '')) ? join(home, place) : []
      })
      .filter((place) => isAbsolute(place))
  const found = new Map<string, Shown>()
  const show = (target: string, parts?: Parts): void => {
    const source = existsSync(target) ? realpathSync.native(target) : undefined
    if (source === undefined || found.has(target)) return
    const isWritable =
      source === target
        ? writable.some((root) => isInside(source, root))
        : isInAny(target, writable)
    if (isWritable) return
    // A folder around the home folder would expose all of it.
    if ([source, target].some((path) => isInside(home, path))) return
    const shown = parts ? partsOf(target, parts) : [target]
    if (shown.length !== 1 || shown[0] !== target) for (const part of shown) show(part)
    else found.set(target, { source, target })
  }
  for (const target of placesOf(PROGRAMS)) show(target)
  for (const { places, parts } of TABLE) for (const target of placesOf(places)) show(target, parts)
  for (const target of programFolders(environment)) show(target)
  return withoutInner([...found.values()])
}

/** Removes paths inside other visible folders: each path is a mount, which takes time. */
function withoutInner(shown: readonly Shown[]): Shown[] {
  const sources = new Map(shown.map(({ source, target }) => [target, source]))
  return shown.filter(({ source, target }) => {
    for (let around = dirname(target); around !== dirname(around); around = dirname(around)) {
      const outer = sources.get(around)
      if (outer !== undefined) return join(outer, relative(around, target)) !== source
    }
    return true
  })
}

/**
 * The visible files in a folder: patterns of names, with the visible parts of partially visible
 * ones.
 */
interface Parts {
  readonly names: ReadonlyMap<string, Parts | undefined>
  readonly patterns: readonly (readonly [RegExp, Parts | undefined])[]
  /** True if the programs in it are visible. */
  readonly programs: boolean
}

const TABLE = TOOLCHAINS.split('\n')
  .filter((line) => line.includes(':'))
  .map((line) => {
    const [places = '', listed = ''] = line.split(':')
    const usual = words(USUAL)
    const paths = words(listed).flatMap((path) =>
      path === '*' || path.endsWith('/*') ? usual.map((name) => `${path}/${name}`) : [path],
    )
    return { places, parts: partsFrom([...usual, ...paths].map((path) => path.split('/'))) }
  })

function partsFrom(paths: readonly (readonly string[])[]): Parts {
  const byName = new Map<string, (readonly string[])[]>()
  for (const [name = '', ...rest] of paths) byName.set(name, [...(byName.get(name) ?? []), rest])
  const all = [...byName].map(([name, rests]): [string, Parts | undefined] => [
    name,
    rests.some(({ length }) => length === 0) ? undefined : partsFrom(rests),
  ])
  const isPattern = ([name]: readonly [string, unknown]): boolean => name.includes('*')
  return {
    names: new Map(all.filter((each) => !isPattern(each))),
    patterns: all.filter(isPattern).map(([name, parts]) => [patternOf(name), parts]),
    programs: byName.has('+x'),
  }
}

/** Names that start with a dot are often settings. */
function patternOf(name: string): RegExp {
  return new RegExp(`^(?!\\.)${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
}

/** The visible parts of a folder; only the folder itself if its whole content is visible. */
function partsOf(folder: string, { names, patterns, programs }: Parts): string[] {
  const all = namesIn(folder)
  let isWhole = all !== undefined
  const shown = (all ?? []).flatMap((name) => {
    if (UNIMPORTANT.test(name)) return []
    const path = join(folder, name)
    const found = patterns.flatMap(([pattern, parts]) => (pattern.test(name) ? [parts] : []))
    if (names.has(name)) found.push(names.get(name))
    if (found.includes(undefined) || (programs && isProgram(path))) return [path]
    const inner = new Set(found.flatMap((parts) => (parts ? partsOf(path, parts) : [])))
    if (inner.has(path)) return [path]
    isWhole = false
    return [...inner]
  })
  return isWhole ? [folder] : shown
}

/** If these files can't be shown, the toolchain isn't hidden, and works without them. */
const UNIMPORTANT =
  /^(?:LICENSE|NOTICE|README|CHANGELOG|COPYING|AUTHORS).*$|^(?:man|completions|\.gitignore|\.lock|CACHEDIR\.TAG)$/

/** Undefined if the path isn't a folder or isn't readable. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder)
  } catch {
    return undefined
  }
}

/** The folders of the PATH with usual names, and their libraries. */
function programFolders(environment: Environment): string[] {
  return absolutePathFolders(environment['PATH'] ?? '')
    .filter((folder) => ['bin', 'sbin', 'shims'].includes(basename(folder)))
    .flatMap((folder) => [folder, join(dirname(folder), 'lib'), join(dirname(folder), 'libexec')])
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
