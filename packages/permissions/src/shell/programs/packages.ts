import { each, type Program, type Reasons, type Usage } from '../program.ts'
import { PASSED } from './tests.ts'

const RUNS = 'runs other code'
const INSTALLS = 'installs and runs third-party code'
const ELSEWHERE = 'uses another project or other settings'
const SETTINGS = 'changes settings'

const npmReach: Reasons = {
  [ELSEWHERE]: `
      --prefix= -C= --userconfig= --globalconfig= --dir= --cwd= --config= --registry=
      --location= -g --global --use-yarnrc= --modules-folder= --global-folder=`,
  [RUNS]: `
      --script-shell= --node-options= --shell= --scripts-prepend-node-path --onload-script=
      --git= --editor= --viewer= --init-module= --browser= -c= --call= --package= -p=
      --require= --shell-mode --foreground-scripts`,
  'writes to another file':
    '--logs-dir= --cache= --cache-folder= --store-dir= --virtual-store-dir= --lockfile-dir= --pack-destination= --tmp= --modules-dir=',
}
const NPM = `
      --silent -s --quiet -q --verbose -d --json --no-color --color= --no-audit --audit[=] --no-fund
      --fund[=] --no-progress --offline --prefer-offline --prefer-online --ignore-scripts
      --workspaces --if-present --include-workspace-root --no-workspaces -r --recursive --parallel
      --stream --no-stream --frozen-lockfile --no-frozen-lockfile --non-interactive --immutable
      --production --loglevel= --filter= -F= --network-timeout= --version -v --help -h`
const WORKSPACE = '-w= --workspace='

/** Arguments of a project script are passed to the program it runs. */
const script: Usage = {
  operands: { rest: 'mention' },
  // A name without a script may be a program in a package. Excludes programs that run, write or
  // remove their arguments.
  plainFirst:
    /^(?!.*\.\.)(?!(?:env|node|npx|tsx|ts-node[\w-]*|esno|jiti|zx|bun|deno|sh|bash|shx|rimraf|del|del-cli|trash|mkdirp|cpx|cpy|copyfiles|ncp|degit|serve|http-server|nodemon|concurrently|run-[sp]|npm-run-all|cross-env[\w-]*|env-cmd|dotenv[\w-]*|c8|nyc|esbuild)$)[\w@.][^=]*$/,
  plainOperand: /^(?!env$|.*\.\.)[\w@.][^=]*$/,
  options: PASSED,
  passes: PASSED,
  reach: npmReach,
}
const info: Usage = {
  operands: { rest: 'text' },
  reach: npmReach,
  options: `${NPM} ${WORKSPACE} --depth= --all -a --long -l --parseable -p --prod --dev --omit= --include= --package-lock-only --audit-level= --level= --link --dry-run --compact --format=`,
  operandReach: { [INSTALLS]: /^fix$/ },
}
const install: Usage = {
  operands: { rest: 'mention' },
  reach: npmReach,
  operandsReach: INSTALLS,
  options: `
      ${NPM} ${WORKSPACE} --omit= --include= --save -S --save-dev -D --save-exact -E --save-optional -O
      --save-prod -P --no-save --legacy-peer-deps --strict-peer-deps --force -f --no-package-lock
      --package-lock-only --dry-run --no-bin-links --no-optional --dev --prod --lockfile-only
      --fix-lockfile --shamefully-hoist --strict-peer-dependencies --no-lockfile --pure-lockfile
      --mode=skip-build|update-lockfile --inline-builds --check-cache --check-resolutions --latest
      --interactive -i --exact --tilde --caret`,
}
const runner: Usage = {
  operandsReach: RUNS,
  // A shell that runs its input.
  bare: RUNS,
  reach: npmReach,
  early: true,
  wrapper: { unmarks: true },
}

const SCRIPTS = 'run run-script test t tst start stop restart rum urn build lint dev'
const UNKNOWN = 'is not known to be harmless'

const commands: Readonly<Record<string, Usage>> = {
  ...each(SCRIPTS, script),
  ...each(
    `
      ls list la ll outdated why explain audit bin root prefix ping search query
      help licenses`,
    info,
  ),
  // A package in the registry. An address or a folder would be fetched.
  ...each('view info show v', {
    ...info,
    plainFirst: /^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~<>=*|-]*)?$/,
  }),
  // With a name, it opens a browser.
  fund: { ...info, operandsReach: RUNS },
  workspaces: { ...info, plainOperand: /^(?:list|info)$/ },
  ...each(
    `
      install i in ci clean-install add update up upgrade remove rm uninstall un dedupe prune
      rebuild fetch`,
    install,
  ),
  ...each('exec x dlx create init innit node npx', runner),
  config: {
    commands: { get: { options: '--json', plainOperand: /^[a-z][a-z-]*$/ } },
    otherwise: SETTINGS,
    bare: SETTINGS,
  },
  get: info,
}

/** Package managers. */
export const packages: readonly Program[] = [
  {
    names: 'npm cnpm tnpm',
    obeys: 'folder',
    partOf: '-w= --workspace=',
    operands: { rest: 'text' },
    reach: npmReach,
    options: `${NPM} ${WORKSPACE}`,
    commands: {
      ...commands,
      // npm treats every option before `--` as its own.
      ...each(SCRIPTS, { ...script, options: `${NPM} ${WORKSPACE}` }),
    },
    otherwise: UNKNOWN,
  },
  {
    names: 'pnpm yarn',
    obeys: 'folder',
    operands: { rest: 'text' },
    reach: npmReach,
    options: NPM,
    commands,
    otherwise: UNKNOWN,
    // A name that is not a subcommand is a script or a program.
    wrapper: { unmarks: true },
  },
  // `ni test` installs a package named `test`.
  { names: 'ni', obeys: 'folder', ...install },
  { names: 'nr', obeys: 'folder', ...script },
  {
    names: 'npx bunx pnpx uvx pipx yarnpkg corepack',
    obeys: 'folder',
    operandsReach: 'downloads and runs programs',
    bare: RUNS,
    bareFine: '--version --help',
    reach: npmReach,
    early: true,
    wrapper: { unmarks: true },
    options: '-w= --workspace= -y --yes --no-install --no --version --help',
  },
  {
    names: `
      cpan cpanm easy_install nvm fnm volta sdk helm krew quicklisp cask hex django-admin
      artisan nix-shell nix-env nix-build dotenv dotenvx vaulted teller cross-env
      cross-env-shell env-cmd npm-run-all run-s run-p concurrently wireit foreman honcho
      overmind hivemind forego goreman pm2 forever nodemon entr watchexec chokidar onchange
      reflex air cargo-watch guard supervisor supervisord supervisorctl circusd husky
      lint-staged pre-commit lefthook overcommit act`,
    operands: { rest: 'mention' },
    always: INSTALLS,
    wrapper: {},
  },
  {
    names: `
      dpkg rpm pacman yay emerge pkg_add xbps-install eopkg opkg slackpkg apt-key
      add-apt-repository dpkg-deb alien`,
    operands: { rest: 'text' },
    always: INSTALLS,
  },
]
