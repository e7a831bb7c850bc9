/** Variables that only affect output or mark a test run: no program runs or loads anything because of them. */
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

/** Names that a text uses for values of its own, and no program for anything else. */
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

/** Whether a variable concerns only the text that sets it. Most programs use capitals, but not for the proxy. */
export const isOwnVariable = (name: string): boolean =>
  OWN.has(name) || (/^[a-z]\w*$/.test(name) && !/proxy|^npm_/i.test(name))

/** The variables that `export` may set: `CI=1`. */
export const SAFE_ASSIGNMENT: RegExp = new RegExp(
  `^(?:${[...SAFE].join('|')}|LC_[A-Z]+)=[\\w.:,@%+*-]*$`,
)

/** Whether setting a variable to plain text is harmless. */
export const isSafeAssignment = (name: string, value: string): boolean =>
  SAFE_ASSIGNMENT.test(`${name}=${value}`)
