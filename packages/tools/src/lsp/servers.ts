/** The definition of a language server. */
export interface ServerDefinition {
  readonly name: string
  /** The program, found on the PATH, and its arguments. */
  readonly command: readonly string[]
  /** Language ids by file extension or whole file name. */
  readonly languages: Readonly<Record<string, string>>
  /**
   * Files that mark the project root: the nearest folder that contains one of them. Without any,
   * the root is the workspace.
   */
  readonly markers?: readonly string[]
  /** The npm package that provides the program, and the first major version that works. */
  readonly package?: { readonly name: string; readonly since?: number }
  /**
   * True if the server runs code of the project, such as build scripts. It is then started only in
   * trusted folders.
   */
  readonly runsProject?: true
  /** Installation instructions. */
  readonly install: string
  /** The server's `initializationOptions`. */
  readonly options?: unknown
  /** The server's configuration, by section. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The key of a file in `languages`: `.ts`, or a whole name such as `Dockerfile`. */
export function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot).toLowerCase() : name
}

/** Globs for the names of files that a server handles. */
export function globsOf({ languages }: ServerDefinition): string[] {
  return Object.keys(languages).map((ending) => (ending.startsWith('.') ? `*${ending}` : ending))
}

/** Globs for all files that a server reads, project files included. */
export function watchedGlobs(definition: ServerDefinition): string[] {
  return [...globsOf(definition), ...(definition.markers ?? [])]
}

const NODE_PROJECT = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']
const NO_TYPES_FROM_NPM = { disableAutomaticTypeAcquisition: true }

/** The known language servers. For each language, the first available one is used. */
export const servers: readonly ServerDefinition[] = [
  {
    name: 'typescript',
    command: ['tsc', '--lsp', '--stdio'],
    languages: {
      ...extensions('typescript', '.ts', '.mts', '.cts'),
      ...extensions('typescriptreact', '.tsx'),
      ...extensions('javascript', '.js', '.mjs', '.cjs'),
      ...extensions('javascriptreact', '.jsx'),
    },
    markers: [...NODE_PROJECT, 'tsconfig.json', 'jsconfig.json', 'package.json'],
    package: { name: 'typescript', since: 7 },
    install: 'npm install -g typescript@7',
    settings: {
      'js/ts': NO_TYPES_FROM_NPM,
      typescript: NO_TYPES_FROM_NPM,
      javascript: NO_TYPES_FROM_NPM,
    },
  },
  {
    name: 'pyright',
    command: ['pyright-langserver', '--stdio'],
    languages: extensions('python', '.py', '.pyi'),
    markers: ['pyrightconfig.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'],
    package: { name: 'pyright' },
    install: 'npm install -g pyright',
  },
  {
    name: 'basedpyright',
    command: ['basedpyright-langserver', '--stdio'],
    languages: extensions('python', '.py', '.pyi'),
    markers: ['pyrightconfig.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'],
    install: 'pip install basedpyright',
  },
  {
    name: 'gopls',
    command: ['gopls'],
    languages: { '.go': 'go', 'go.mod': 'go.mod' },
    markers: ['go.work', 'go.mod'],
    install: 'go install golang.org/x/tools/gopls@latest',
  },
  {
    name: 'rust-analyzer',
    command: ['rust-analyzer'],
    languages: extensions('rust', '.rs'),
    markers: ['Cargo.lock', 'Cargo.toml', 'rust-project.json'],
    runsProject: true,
    install: 'rustup component add rust-analyzer',
  },
  {
    name: 'clangd',
    command: ['clangd'],
    languages: {
      ...extensions('c', '.c', '.h'),
      ...extensions('cpp', '.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx'),
      ...extensions('objective-c', '.m'),
      ...extensions('objective-cpp', '.mm'),
    },
    markers: ['compile_commands.json', 'compile_flags.txt', '.clangd'],
    install: 'install clangd from LLVM, for example apt install clangd',
  },
  {
    name: 'jdtls',
    command: ['jdtls'],
    languages: extensions('java', '.java'),
    markers: ['settings.gradle', 'settings.gradle.kts', 'pom.xml', 'build.gradle'],
    runsProject: true,
    install: 'install Eclipse JDT.LS, for example brew install jdtls',
  },
  {
    name: 'kotlin-lsp',
    command: ['kotlin-lsp', '--stdio'],
    languages: extensions('kotlin', '.kt', '.kts'),
    markers: ['settings.gradle', 'settings.gradle.kts', 'pom.xml', 'build.gradle.kts'],
    runsProject: true,
    install: 'brew install JetBrains/utils/kotlin-lsp',
  },
  {
    name: 'csharp-ls',
    command: ['csharp-ls'],
    languages: extensions('csharp', '.cs'),
    markers: ['global.json'],
    runsProject: true,
    install: 'dotnet tool install -g csharp-ls',
  },
  {
    name: 'ruby-lsp',
    command: ['ruby-lsp'],
    languages: extensions('ruby', '.rb', '.rake', '.gemspec', 'Gemfile', 'Rakefile'),
    markers: ['Gemfile'],
    runsProject: true,
    install: 'gem install ruby-lsp',
  },
  {
    name: 'intelephense',
    command: ['intelephense', '--stdio'],
    languages: extensions('php', '.php'),
    markers: ['composer.json'],
    install: 'npm install -g intelephense',
  },
  {
    name: 'lua-language-server',
    command: ['lua-language-server'],
    languages: extensions('lua', '.lua'),
    markers: ['.luarc.json', '.luarc.jsonc'],
    // The settings of a project may load plugins.
    runsProject: true,
    install: 'brew install lua-language-server',
  },
  {
    name: 'bash-language-server',
    command: ['bash-language-server', 'start'],
    languages: extensions('shellscript', '.sh', '.bash'),
    install: 'npm install -g bash-language-server',
  },
  {
    name: 'zls',
    command: ['zls'],
    languages: extensions('zig', '.zig', '.zon'),
    markers: ['build.zig'],
    runsProject: true,
    install: 'install zls from https://zigtools.org/zls/install',
  },
  {
    name: 'elixir-ls',
    command: ['elixir-ls'],
    languages: extensions('elixir', '.ex', '.exs'),
    markers: ['mix.lock', 'mix.exs'],
    runsProject: true,
    install: 'brew install elixir-ls',
  },
  {
    name: 'haskell-language-server',
    command: ['haskell-language-server-wrapper', '--lsp'],
    languages: extensions('haskell', '.hs', '.lhs'),
    markers: ['stack.yaml', 'cabal.project', 'hie.yaml'],
    runsProject: true,
    install: 'ghcup install hls',
  },
  {
    name: 'ocamllsp',
    command: ['ocamllsp'],
    languages: { '.ml': 'ocaml', '.mli': 'ocaml.interface' },
    markers: ['dune-project'],
    runsProject: true,
    install: 'opam install ocaml-lsp-server',
  },
  {
    name: 'sourcekit-lsp',
    command: ['sourcekit-lsp'],
    languages: extensions('swift', '.swift'),
    markers: ['Package.swift'],
    runsProject: true,
    install: 'install the Swift toolchain, which includes it',
  },
  {
    name: 'dart',
    command: ['dart', 'language-server', '--protocol=lsp'],
    languages: extensions('dart', '.dart'),
    markers: ['pubspec.yaml'],
    // The settings of a project may load plugins.
    runsProject: true,
    install: 'install the Dart SDK, which includes it',
  },
  {
    name: 'terraform-ls',
    command: ['terraform-ls', 'serve'],
    languages: { '.tf': 'terraform', '.tfvars': 'terraform-vars' },
    runsProject: true,
    install: 'brew install hashicorp/tap/terraform-ls',
  },
  {
    name: 'yaml-language-server',
    command: ['yaml-language-server', '--stdio'],
    languages: extensions('yaml', '.yaml', '.yml'),
    // The server fetches any schema URL in a file.
    runsProject: true,
    install: 'npm install -g yaml-language-server',
  },
  {
    name: 'vue-language-server',
    command: ['vue-language-server', '--stdio'],
    languages: extensions('vue', '.vue'),
    markers: NODE_PROJECT,
    runsProject: true,
    install: 'npm install -g @vue/language-server',
  },
  {
    name: 'svelteserver',
    command: ['svelteserver', '--stdio'],
    languages: extensions('svelte', '.svelte'),
    markers: NODE_PROJECT,
    runsProject: true,
    install: 'npm install -g svelte-language-server',
  },
]

function extensions(language: string, ...endings: readonly string[]): Record<string, string> {
  return Object.fromEntries(endings.map((ending) => [ending, language]))
}
