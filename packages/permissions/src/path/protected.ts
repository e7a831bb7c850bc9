import { fold, foldGlob, type Glob, type Name, relationOf } from './glob.ts'
import { readName } from './pattern.ts'

/**
 * Files that list paths that models must not read, in the format of `.gitignore`. They can only
 * deny.
 */
export const IGNORE_FILES: readonly string[] = [
  '.aiignore',
  '.agentignore',
  '.cursorignore',
  '.codeiumignore',
  '.geminiignore',
  '.qwenignore',
  '.rooignore',
  '.clineignore',
]

/** Git hooks of a project, and settings of programs that install or run them. */
const HOOKS =
  '.githooks .husky .huskyrc* .pre-commit-config.yaml prek.toml lefthook.* .lefthook.* lefthook-local.* .lefthook-local.* .config/lefthook* .lefthook .lefthook-local .lintstagedrc* lint-staged.config.* .simple-git-hooks.* simple-git-hooks.* .overcommit.yml captainhook.json grumphp.y*ml'

/**
 * Files that make programs run code or that instruct an agent. Write access to them is equivalent
 * to running code.
 */
const PROTECTED: readonly {
  readonly why: string
  readonly paths: string
  /**
   * The paths that sandboxed commands can neither change nor create. Default: `paths`. They differ
   * where commands need to write some of them.
   */
  readonly guarded?: string
  /** True if these files are edited every day. A setting removes their protection. */
  readonly everyday?: true
  /** True if programs apply these files when they run in the folder. */
  readonly obeyed?: true
  /** True if removing these files is harmless, because they are generated and can be recreated. */
  readonly removable?: true
  /** Names of files that count only in capitals. In lower case, they are generated folders. */
  readonly capitals?: string
}[] = [
  {
    why: 'contains Toolglot settings',
    paths: '.toolglot .config/toolglot .local/state/toolglot',
  },
  {
    why: 'can make git run code',
    paths: `.git .gitmodules .gitconfig .config/git *.git/hooks *.git/config ${HOOKS}`,
    guarded: `.git/hooks .git/config .git/config.worktree .git/commondir .gitconfig .config/git ${HOOKS}`,
  },
  {
    why: 'shells run it when they start',
    paths:
      '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .config/fish .envrc .direnvrc .config/direnv .xprofile .xinitrc .xsession .pam_environment',
  },
  {
    why: 'contains credentials',
    paths:
      '.ssh .gnupg .aws .azure .kube .docker .netrc .git-credentials .config/gcloud .config/gh .pgpass .authinfo sudoers sudoers.d authorized_keys',
  },
  {
    why: 'the system runs it automatically',
    paths:
      '.config/autostart .config/systemd LaunchAgents LaunchDaemons crontab cron.d cron.daily cron.hourly cron.weekly cron.monthly etc/profile.d etc/ld.so.preload',
  },
  {
    why: 'can make an editor run code',
    paths:
      '.vscode .idea .fleet .zed .nvim.lua .exrc .vimrc .nvimrc .vim .config/nvim .emacs .emacs.d .dir-locals.el .dir-locals-2.el .devcontainer .devcontainer.json *.code-workspace .helix .nvim .lvimrc .vs .ycm_extra_conf.py *.sublime-project .gitpod.yml .replit .idx',
  },
  {
    why: 'configures agents',
    paths:
      '.mcp.json mcp.json .claude .claude.json .cursor .cursorrules .windsurf .windsurfrules .codeium .gemini .codex .qwen .opencode opencode.json* .roo .roomodes .roorules .cline .clinerules .continue .aider* .amazonq .kiro .kilocode .augment .goose* .crush* .zencoder .junie .trae .factory .openhands .github/copilot-instructions.md .github/instructions .github/prompts .github/agents .github/chatmodes .agents .agent',
  },
  {
    why: 'controls what agents may read',
    paths: IGNORE_FILES.join(' '),
  },
  {
    why: 'instructs agents',
    paths:
      'AGENTS.md AGENT.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md WARP.md .rules',
  },
  {
    why: 'runs in CI',
    paths:
      '.github/workflows .github/actions .gitlab-ci.yml .circleci .travis.yml Jenkinsfile* azure-pipelines*.y*ml .azure-pipelines bitbucket-pipelines.yml .drone.* .woodpecker* .buildkite .teamcity .forgejo/workflows .gitea/workflows appveyor.yml .appveyor.yml cloudbuild.* buildspec.y*ml .cirrus.* .semaphore .tekton .builds .build.yml',
  },
  {
    why: 'can make programs load code',
    paths:
      'package.json package.json5 package.yaml pnpm-workspace.yaml .npmrc .yarnrc .yarnrc.yml .yarn .pnp.* .pnpmfile.* pnpmfile.* bunfig.toml yarn.config.* .bundle .cargo .mvn gradle-wrapper.properties maven-wrapper.properties gradle-wrapper.jar .bazelrc .bazeliskrc .ripgreprc ripgreprc .curlrc .wgetrc .gdbinit .gdbearlyinit .lldbinit .psqlrc .sqliterc .pythonrc .pythonrc.py .pdbrc sitecustomize.py usercustomize.py .pypirc pip.conf .config/pip .gemrc .irbrc .pryrc .Rprofile .perldb .tmux.conf .screenrc .nanorc .lesskey .mailcap .toprc .condarc .mise* mise.* mise mise-tasks .config/mise* .tool-versions .asdfrc pyrightconfig.json',
    guarded: '',
    obeyed: true,
  },
  {
    why: 'contains code that commands run',
    paths: 'node_modules/* vendor/* .venv/* venv/* .tox/* .nox/* site-packages/*',
    guarded: '',
    everyday: true,
    removable: true,
  },
  {
    why: 'lists code that commands install',
    paths:
      '*.lock *.lockb *.lockfile *-lock.json *.lock.json npm-shrinkwrap.json *-lock.y*ml Package.resolved',
    guarded: '',
    everyday: true,
    obeyed: true,
    removable: true,
  },
  {
    why: 'commands load it when they run',
    paths: `
      *.config.* *.conf.*s .*rc .*rc.* .config/*rc .config/*rc.* *.toml .*.y*ml .*.json .*.jsonc .*.cfg
      .*.ini Makefile Makefile.* GNUmakefile GNUmakefile.* BSDmakefile BSDmakefile.* *.mk *.mk.* *,v RCS
      SCCS .depend configure configure.ac configure.in *.am *.m4 config.status Justfile .justfile *.just
      Taskfile.y*ml Taskfile.dist.y*ml Rakefile Rakefile.rb *.rake build.ninja SConstruct SConscript
      site_scons wscript xmake.lua premake5.lua *.pro *.pri CMakeLists.txt CMakeCache.txt CMakePresets.json
      CMakeUserPresets.json *.cmake *.ctest meson.build meson_options.txt meson.options BUILD.bazel
      WORKSPACE.bazel MODULE.bazel *.bzl .buckconfig *.gradle *.gradle.kts buildSrc gradle.properties
      gradlew pom.xml mvnw build.xml *.sbt project/*.scala project/build.properties .sbtopts .jvmopts
      build.sc build.mill .mill-* build.rs rust-toolchain go.work .golangci.* magefile.go magefiles
      build.zig build.zig.zon mix.exs .formatter.exs .credo.exs .iex.exs config/*.exs rebar.config
      rebar.config.script stack.yaml *.cabal cabal.project* Setup.hs Setup.lhs .ghci dune dune-project
      dune-workspace project.clj profiles.clj deps.edn Package.swift *.xcodeproj *.xcworkspace *.xcconfig
      Podfile Fastfile *.csproj *.fsproj *.vbproj *.proj *.props *.targets *.sln *.slnx *.rsp *.runsettings
      global.json nuget.config *.nix setup.py setup.cfg Pipfile requirements*.txt constraints*.txt
      conftest.py pytest.ini tox.ini noxfile.py tasks.py tasks/__init__.py invoke.y*ml fabfile.py
      fabfile/__init__.py fabric.y*ml dodo.py doit.cfg pylintrc mypy.ini .yamllint .sqlfluff .flake8
      .ansible-lint .config/ansible-lint.y*ml ansible.cfg .clang-tidy .clangd .tflint.hcl .tflint.d Gemfile
      gems.rb *.gemspec .simplecov .rspec .rubocop* .busted composer.json phpunit.xml* phpunit.dist.xml
      *.neon *.neon.dist psalm.xml* phpcs.xml* .phpcs.xml* .php-cs-fixer* rector.php ecs.php
      vitest.workspace.* mocha.opts cypress.json knip.* .knip.* dprint.* .dprint.* .markdownlint*
      .xo-config* .dependency-cruiser.* tslint.json .cspell.* cspell.* typedoc.* .storybook angular.json
      binding.gyp *.gyp *.gypi .webpack patches/*.patch biome.json* nodemon.json gulpfile.* Gruntfile.*
      Jakefile* turbo.json* nx.json moon.yml .moon rush.json project.json workspace.json lerna.json
      deno.json deno.jsonc import_map.json tsconfig*.json jsconfig.json Earthfile Tiltfile skaffold.y*ml
      Vagrantfile Procfile docker-compose*.y*ml compose*.y*ml .ugrep`,
    capitals: 'BUILD WORKSPACE BUCK TARGETS',
    guarded: '',
    everyday: true,
    obeyed: true,
  },
]

/** Patterns of the files that commands load when they run, for documentation. */
export const commandFiles: readonly string[] = PROTECTED.flatMap(({ paths, capitals, everyday }) =>
  everyday ? [...words(paths), ...words(capitals)] : [],
)

function words(text = ''): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

const entries = PROTECTED.flatMap(({ paths, capitals, why, everyday, obeyed, removable }) =>
  [...words(paths), ...words(capitals)].map((path) => ({
    glob: foldGlob(names(path)),
    ...{ why, everyday, obeyed, removable },
    inCapitals: words(capitals).includes(path) ? path : undefined,
  })),
)

type ProtectedEntry = (typeof entries)[number]

/**
 * Entries whose first name has no wildcards, by that name, and the remaining ones. The index is
 * needed because a search checks thousands of paths.
 */
const plainEntries = new Map<Name, ProtectedEntry[]>()
const wildEntries: ProtectedEntry[] = []
for (const entry of entries) {
  const [first] = entry.glob
  if (typeof first !== 'string') wildEntries.push(entry)
  else plainEntries.set(first, [...(plainEntries.get(first) ?? []), entry])
}

function names(path: string): Glob {
  return path.split('/').map((part) => {
    const read = readName(part)
    if ('problem' in read) throw new TypeError(`${path}: ${read.problem}`)
    return read.name
  })
}

/**
 * The reason why writing or removing a file needs approval regardless of rules, or undefined if it
 * doesn't. Ignores case.
 */
export function protectedBy(
  path: readonly string[],
  { commandFiles = 'ask' }: ProtectionSettings = {},
  isRemoved = false,
): string | undefined {
  return findEntry(
    path,
    ({ everyday, removable }) =>
      !(everyday && commandFiles === 'allow') && !(removable && isRemoved),
  )?.why
}

/** The names (without patterns) of files that programs apply when they run in the folder. */
export const obeyedNames: readonly string[] = PROTECTED.flatMap(({ paths, capitals, obeyed }) =>
  obeyed ? [...words(paths), ...words(capitals)].filter((path) => !/[*/]/.test(path)) : [],
)

/** True if programs that run in a file's folder apply the file. */
export function isObeyed(path: readonly string[]): boolean {
  return findEntry(path, ({ obeyed }) => obeyed === true) !== undefined
}

/** The first entry that matches a path or one of its parent folders, at any depth. */
function findEntry(
  path: readonly string[],
  counts: (entry: ProtectedEntry) => boolean,
): ProtectedEntry | undefined {
  const folded = path.map(fold)
  const found = new Set<ProtectedEntry>()
  folded.forEach((name, at) => {
    const rest = folded.slice(at)
    const plain = plainEntries.get(name) ?? []
    for (const entry of [...plain, ...wildEntries.filter(({ glob }) => mayMatch(glob[0], name))]) {
      const isMeant = entry.inCapitals === undefined || path.at(-1) === entry.inCapitals
      const relation = isMeant && counts(entry) ? relationOf(entry.glob, rest) : undefined
      if (relation === 'whole' || relation === 'inside') found.add(entry)
    }
  })
  return found.size > 0 ? entries.find((entry) => found.has(entry)) : undefined
}

/** A quick test for names that may match. */
const mayMatch = (pattern: Name | undefined, name: string): boolean =>
  typeof pattern !== 'object' || (name.startsWith(pattern.head) && name.endsWith(pattern.tail))

/** The paths that sandboxed commands can't write, as folded patterns, with the reason. */
const guarded = PROTECTED.flatMap(({ paths, guarded: written = paths, why }) =>
  words(written).map((path) => ({ path, glob: foldGlob(names(path)), why })),
)
const guardedWild = guarded.filter(({ glob }) => typeof glob.at(-1) !== 'string')
const guardedByName = new Map<Name, (typeof guarded)[number][]>()
for (const entry of guarded) {
  const last = entry.glob.at(-1)!
  guardedByName.set(last, [...(guardedByName.get(last) ?? []), entry])
}
const MAX_GUARDED_DEPTH = Math.max(...guarded.map(({ glob }) => glob.length))

/** The paths that sandboxed commands can't write, at any depth, ignoring case. */
export const guardedPaths: {
  /**
   * Returns undefined if commands can write a path. Otherwise, returns the reason why not and the
   * number of names in the pattern (2 for `.github/workflows`).
   */
  find(path: readonly string[]): { readonly why: string; readonly depth: number } | undefined
  /** Patterns, relative to any folder. */
  readonly globs: readonly string[]
  /** Names in a git folder that determine what git runs. */
  readonly inGitFolder: readonly string[]
} = {
  find(path) {
    const folded = path.slice(-MAX_GUARDED_DEPTH).map(fold)
    const last = folded.at(-1)!
    const wild = guardedWild.filter(({ glob }) => mayMatch(glob.at(-1), last))
    const found = [...(guardedByName.get(last) ?? []), ...wild].find(
      ({ glob }) => relationOf(glob, folded.slice(-glob.length)) === 'whole',
    )
    return found && { why: found.why, depth: found.glob.length }
  },
  globs: guarded.map(({ path }) =>
    path.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`),
  ),
  inGitFolder: guarded.flatMap(({ path }) =>
    path.startsWith('.git/') ? [path.slice('.git/'.length)] : [],
  ),
}

/**
 * True if a folder with this name may contain protected files although it isn't protected itself:
 * `node_modules` with `.bin`.
 */
export function holdsProtected(path: string): boolean {
  const name = fold(path.replace(/\/+$/, '').replace(/^.*\//, ''))
  return name === '.' || name === '..' || HOLDING.has(name)
}

const HOLDING = new Set(
  PROTECTED.flatMap(({ paths }) =>
    words(paths).flatMap((path) => path.split('/').slice(0, -1).map(fold)),
  ),
)

/** Settings of protected files. */
export interface ProtectionSettings {
  /**
   * `ask` protects files that commands load when they run (`Makefile`, `vitest.config.ts`).
   * Default: `ask`.
   */
  readonly commandFiles?: 'ask' | 'allow'
}
