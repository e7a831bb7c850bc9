import { each, type Program, type Reasons, type Usage } from '../program.ts'

const RUNS = 'runs other code'
const INSTALLS = 'brings code of others, and runs it'
const ELSEWHERE = 'works on another project, or by other settings'
const SETTINGS = 'changes settings'

const npmReach: Reasons = {
  [ELSEWHERE]: `
      --prefix= -C= --userconfig= --globalconfig= --dir= --cwd= --config= --registry=
      --location= -g --global --use-yarnrc= --modules-folder= --global-folder=`,
  [RUNS]: `
      --script-shell= --node-options= --shell= --scripts-prepend-node-path --onload-script=
      --git= --editor= --viewer= --init-module= --browser= -c= --call= --package= -p=
      --require= --shell-mode`,
}
const script: Usage = {
  operands: { rest: 'text' },
  values: '-w= --workspace=',
  reach: npmReach,
  fine: '--workspaces --if-present --silent -s',
  operandReach: { 'shows secrets of the environment': /^env$/ },
}
const info: Usage = {
  operands: { rest: 'text' },
  reach: npmReach,
  values: '-w= --workspace=',
  operandReach: { [INSTALLS]: /^fix$/ },
}
const install: Usage = {
  operands: { rest: 'mention' },
  reach: npmReach,
  operandsReach: INSTALLS,
  values: '-w= --workspace=',
}
const runner: Usage = { operandsReach: RUNS, reach: npmReach, wrapper: {} }

/** Package managers. */
export const packages: readonly Program[] = [
  {
    names: 'npm pnpm yarn cnpm tnpm ni nr',
    operands: { rest: 'text' },
    reach: npmReach,
    fine: `
      --silent -s --quiet -q --verbose -d --json --no-color --no-audit --no-fund --no-progress
      --offline --prefer-offline --ignore-scripts --workspaces --if-present -r --recursive
      --parallel --stream --frozen-lockfile --non-interactive`,
    values: '--loglevel= --filter= -F= --network-timeout=',
    commands: {
      ...each('run run-script test t tst start stop restart rum urn build lint dev', script),
      ...each(
        `
      ls list la ll outdated view info show why explain audit bin root prefix ping search fund
      query help licenses workspaces`,
        info,
      ),
      ...each(
        `
      install i in ci clean-install add update up upgrade remove rm uninstall un dedupe prune
      rebuild fetch`,
        install,
      ),
      ...each('exec x dlx create init innit node npx', runner),
      config: { commands: { get: {}, list: {}, ls: {} }, otherwise: SETTINGS, bare: SETTINGS },
      get: info,
    },
    otherwise: 'is not known to be harmless',
  },
  {
    names: 'npx bunx pnpx uvx pipx yarnpkg corepack',
    operandsReach: 'runs the program it is given, from anywhere',
    reach: npmReach,
    early: true,
    wrapper: {},
    values: '-w= --workspace=',
    fine: '-y --yes --no-install --no',
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
