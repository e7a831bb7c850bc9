import { fold, foldGlob } from './fold.ts'
import { DEEP, type Glob, relationOf } from './glob.ts'
import { IGNORE_FILES } from './ignore-files.ts'
import { readName } from './read-name.ts'

/** Files that make programs run code, or instruct an agent: whoever can write them can do anything. */
const PROTECTED: readonly {
  readonly why: string
  readonly paths: string
  /** Those that commands in a sandbox cannot change, if other than `paths`: commands need to change some. */
  readonly guarded?: string
  /** Those that commands in a sandbox cannot create either. */
  readonly held?: string
  /** They are edited every day: a setting makes them like other files. */
  readonly everyday?: true
  /** Programs that run in a folder obey them there. */
  readonly obeyed?: true
}[] = [
  {
    why: 'contains settings of Toolglot',
    paths: '.toolglot .config/toolglot',
    held: '.toolglot',
  },
  {
    why: 'can make git run code',
    paths:
      '.git .gitmodules .gitconfig .config/git *.git/hooks *.git/config .githooks .husky .pre-commit-config.yaml lefthook.y*ml .lefthook.y*ml lefthook-local.y*ml .lintstagedrc*',
    guarded:
      '.gitconfig .config/git .githooks .husky .pre-commit-config.yaml lefthook.y*ml .lefthook.y*ml lefthook-local.y*ml .lintstagedrc*',
    held: '.git/hooks .git/config .git/config.worktree .git/commondir',
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
      '.vscode .idea .fleet .zed .nvim.lua .exrc .vimrc .nvimrc .vim .config/nvim .emacs .emacs.d .dir-locals.el .devcontainer .devcontainer.json *.code-workspace',
    held: '.vscode .idea',
  },
  {
    why: 'configures agents',
    paths:
      '.mcp.json mcp.json .claude .claude.json .cursor .cursorrules .windsurf .windsurfrules .codeium .gemini .codex .qwen .opencode opencode.json* .roo .roomodes .roorules .cline .clinerules .continue .aider* .amazonq .kiro .kilocode .augment .goose* .crush* .zencoder .github/copilot-instructions.md .github/instructions .github/prompts .github/agents .github/chatmodes .agents .agent',
    held: '.mcp.json .claude .cursor',
  },
  {
    why: 'controls what agents may read',
    paths: IGNORE_FILES.join(' '),
  },
  {
    why: 'instructs agents',
    paths:
      'AGENTS.md AGENT.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md .rules',
  },
  {
    why: 'runs in CI',
    paths:
      '.github/workflows .github/actions .gitlab-ci.yml .circleci .travis.yml Jenkinsfile azure-pipelines.yml .azure-pipelines bitbucket-pipelines.yml .drone.yml .woodpecker* .buildkite .teamcity .forgejo/workflows .gitea/workflows appveyor.yml .appveyor.yml cloudbuild.yaml',
  },
  {
    why: 'can make programs load code',
    paths:
      'package.json .npmrc .yarnrc .yarnrc.yml .yarn .pnp.* .pnpmfile.* pnpmfile.* bunfig.toml .cargo .mvn gradle-wrapper.properties maven-wrapper.properties gradle-wrapper.jar .bazelrc .bazeliskrc .ripgreprc ripgreprc .curlrc .wgetrc .gdbinit .lldbinit .psqlrc .sqliterc .pythonrc .pythonrc.py .pdbrc sitecustomize.py usercustomize.py .pypirc pip.conf .config/pip .gemrc .irbrc .pryrc .Rprofile .perldb .tmux.conf .screenrc .nanorc .lesskey .mailcap .toprc .condarc .mise.toml mise.toml .tool-versions .asdfrc pyrightconfig.json',
    guarded: '',
    obeyed: true,
  },
  {
    why: 'commands load it when they run',
    paths: `
      Makefile GNUmakefile BSDmakefile *.mk Justfile .justfile Taskfile.y*ml Taskfile.dist.y*ml
      Rakefile Rakefile.rb *.rake
      CMakeLists.txt CMakePresets.json CMakeUserPresets.json *.cmake meson.build meson_options.txt
      BUILD.bazel WORKSPACE.bazel MODULE.bazel *.bzl build.gradle build.gradle.kts settings.gradle
      settings.gradle.kts gradle.properties gradlew pom.xml mvnw build.xml build.sbt build.rs
      Cargo.toml rust-toolchain rust-toolchain.toml go.work build.zig mix.exs rebar.config
      stack.yaml *.cabal dune-project project.clj deps.edn Package.swift
      setup.py setup.cfg pyproject.toml conftest.py pytest.ini .pytest.ini tox.ini tox.toml noxfile.py tasks.py
      fabfile.py .coveragerc .pylintrc pylintrc .pylintrc.toml pylintrc.toml mypy.ini .mypy.ini .flake8
      Gemfile *.gemspec .rspec .rubocop .rubocop.yml composer.json phpunit.xml phpunit.xml.dist
      vite.config.* vitest.config.* vitest.workspace.* jest.config.* .mocharc.* .mocharc ava.config.*
      karma.conf.* playwright.config.* cypress.config.* wdio.conf.* .c8rc.json .nycrc .nycrc.*
      webpack.config.* rollup.config.* rolldown.config.* esbuild.config.* tsup.config.* tsdown.config.*
      babel.config.* .babelrc .babelrc.* .swcrc postcss.config.* tailwind.config.* next.config.*
      nuxt.config.* svelte.config.* astro.config.* metro.config.* angular.json eslint.config.*
      .eslintrc .eslintrc.* .oxlintrc.json prettier.config.* .prettierrc .prettierrc.* stylelint.config.*
      .stylelintrc .stylelintrc.* commitlint.config.* knip.config.* gulpfile.* Gruntfile.*
      Jakefile* turbo.json nx.json lerna.json deno.json deno.jsonc Vagrantfile Procfile
      docker-compose.y*ml compose.y*ml ansible.cfg tsconfig*.json jsconfig.json .remarkrc .remarkrc.*
      .ackrc .ugrep build.config.* .parcelrc node_modules/.bin .venv/bin venv/bin`,
    guarded: '',
    everyday: true,
    obeyed: true,
  },
]

/** Patterns of the files that commands load when they run, for documentation. */
export const commandFiles: readonly string[] = PROTECTED.flatMap(({ paths, everyday }) =>
  everyday ? words(paths) : [],
)

/** What commands in a sandbox must not change: paths relative to a root, in which a `*` matches anything in a name. */
export const guardedPaths: {
  /** Protected if they exist. */
  readonly existing: readonly string[]
  /** Protected whether they exist or not. */
  readonly held: readonly string[]
} = {
  existing: PROTECTED.flatMap(({ paths, guarded = paths, held }) =>
    words(guarded).filter((path) => !words(held).includes(path)),
  ),
  held: PROTECTED.flatMap(({ held }) => words(held)),
}

function words(text = ''): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

const entries = PROTECTED.flatMap(({ why, paths, everyday, obeyed }) =>
  words(paths).map((path) => ({
    glob: foldGlob([DEEP, ...names(path)]),
    why,
    everyday,
    obeyed,
  })),
)

function names(path: string): Glob {
  return path.split('/').map((part) => {
    const read = readName(part)
    if ('problem' in read) throw new TypeError(`${path}: ${read.problem}`)
    return read.name
  })
}

/** Why writing a file needs approval whatever is allowed; undefined if it doesn't. Ignores case. */
export function protectedBy(
  path: readonly string[],
  { commandFiles = 'ask' }: ProtectionSettings = {},
): string | undefined {
  return findEntry(path, ({ everyday }) => !(everyday && commandFiles === 'allow'))?.why
}

/** Whether programs that run in its folder obey a file. */
export function isObeyed(path: readonly string[]): boolean {
  return findEntry(path, ({ obeyed }) => obeyed === true) !== undefined
}

type ProtectedEntry = (typeof entries)[number]

function findEntry(
  path: readonly string[],
  counts: (entry: ProtectedEntry) => boolean,
): ProtectedEntry | undefined {
  const folded = path.map(fold)
  return entries.find((entry) => {
    const relation = counts(entry) ? relationOf(entry.glob, folded) : undefined
    return relation === 'whole' || relation === 'inside'
  })
}

/** Whether files in a folder of this name are protected, but not the folder itself: `node_modules` with `.bin`. */
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
  /** Whether files that commands load when they run (`Makefile`, `vitest.config.ts`) are protected. Default: `ask`. */
  readonly commandFiles?: 'ask' | 'allow'
}
