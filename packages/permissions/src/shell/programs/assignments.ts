/**
 * Variables that only affect output or mark a test run. They never make a program run or load code.
 */
const SAFE = new Set([
  'CI',
  'NODE_ENV',
  'LANG',
  'LANGUAGE',
  'TZ',
  'PORT',
  'TERM',
  'COLUMNS',
  'LINES',
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'COLORTERM',
  'RUST_BACKTRACE',
  'RUST_LOG',
  'PYTHONUNBUFFERED',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONHASHSEED',
  'DEBUG',
  'RAILS_ENV',
  'RACK_ENV',
  'APP_ENV',
  'FLASK_ENV',
  'MIX_ENV',
  'NEXT_TELEMETRY_DISABLED',
  'DO_NOT_TRACK',
  'GIT_TERMINAL_PROMPT',
  'GOOS',
  'GOARCH',
  'CGO_ENABLED',
  'LOG_LEVEL',
  'VERBOSE',
  'SOURCE_DATE_EPOCH',
  'DEBIAN_FRONTEND',
  'CARGO_TERM_COLOR',
  'HUSKY',
  'JEST_WORKER_ID',
])

/** Names that scripts use for their own values and that have no meaning to programs. */
const OWN = new Set([
  'BASE',
  'BRANCH',
  'COMMIT',
  'COUNT',
  'DIR',
  'FILE',
  'FILES',
  'HASH',
  'NAME',
  'OUTPUT',
  'RESULT',
  'ROOT',
  'SHA',
  'TAG',
  'VERSION',
])

/**
 * True if a variable concerns only the text that sets it. Most variables of programs are in
 * capitals, except those for proxies.
 */
export const isOwnVariable = (name: string): boolean =>
  OWN.has(name) || (/^[a-z]\w*$/.test(name) && !/proxy|^npm_/i.test(name))

/** The assignments that `export` may make: `CI=1`. */
export const SAFE_ASSIGNMENT: RegExp = new RegExp(
  `^(?:${[...SAFE].join('|')}|LC_[A-Z]+)=[\\w.:,@%+*-]*$`,
)

/** True if setting a variable to plain text is harmless. */
export const isSafeAssignment = (name: string, value: string): boolean =>
  SAFE_ASSIGNMENT.test(`${name}=${value}`)
