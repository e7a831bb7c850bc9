/** Words in a variable's name, separated by underscores, that indicate a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  `AUTH AUTHORIZATION BEARER COOKIE COOKIES CREDENTIAL CREDENTIALS CREDS DSN JWT KEY KEYS PASS PASSPHRASE PASSWD
   PASSWORD PASSWORDS PAT PRIVATE PWD SALT SECRET SECRETS SIGNATURE TOKEN TOKENS WEBHOOK`.split(
    /\s+/,
  ),
)

/** Texts that indicate a secret anywhere in a name, ignoring underscores. */
const SECRET_TEXTS: readonly string[] = [
  'ACCESSKEY',
  'APIKEY',
  'CONNECTIONSTRING',
  'CREDENTIAL',
  'PASSPHRASE',
  'PASSWD',
  'PASSWORD',
  'PRIVATEKEY',
  'SECRET',
  'TOKEN',
]

/** Names that look like secrets but aren't. */
const NOT_SECRETS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'COLOR_KEY', 'GPG_KEY'])

/** Patterns of secrets anywhere in a value. None of them backtracks. */
const SECRET_VALUES: readonly RegExp[] = [
  /(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}/,
  /gh[pousr]_[A-Za-z0-9]{20}/,
  /github_pat_[A-Za-z0-9_]{20}/,
  /glpat-[A-Za-z0-9_-]{16}/,
  /sk-[A-Za-z0-9_-]{16}/,
  /[rs]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /xox[abeprs]-[A-Za-z0-9-]{10}/,
  /npm_[A-Za-z0-9]{30}/,
  /pypi-[A-Za-z0-9_-]{16}/,
  /hf_[A-Za-z0-9]{20}/,
  /AIza[A-Za-z0-9_-]{30}/,
  /ya29\.[A-Za-z0-9_-]{16}/,
  /SG\.[A-Za-z0-9_-]{16}/,
  /dop_v1_[a-f0-9]{16}/,
  /eyJ[A-Za-z0-9_-]{8,512}\.eyJ/,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/,
  /:\/\/[^/\s:@]{0,256}:[^/\s@]{1,256}@/,
  /\b(?:Bearer|Basic) [A-Za-z0-9+/=._-]{8}/,
]

/** Variables that change how a shell runs a command, so that it would not be the permitted one. */
const SHELL_VARIABLES: ReadonlySet<string> = new Set(
  'BASHOPTS BASH_ENV BASH_XTRACEFD CDPATH ENV FORCE_COLOR GIT_ASKPASS GLOBIGNORE IFS POSIXLY_CORRECT PROMPT_COMMAND PS4 SHELLOPTS SSH_ASKPASS'.split(
    ' ',
  ),
)

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Disables prompts, pagers and colors, and identifies us to programs. */
const QUIET: Readonly<Record<string, string>> = {
  CI: 'true',
  DEBIAN_FRONTEND: 'noninteractive',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  MANPAGER: 'cat',
  NO_COLOR: '1',
  PAGER: 'cat',
  TERM: 'dumb',
  TOOLGLOT: '1',
}

/** The environment for a command: ours without its secrets, and set to be non-interactive. */
export function environmentFor(
  ours: Environment,
  keep: readonly string[] = [],
): Record<string, string> {
  const kept: [string, string][] = []
  const secrets: string[] = []
  for (const [name, value] of Object.entries(ours)) {
    if (value === undefined || changesShell(name)) continue
    if (keep.includes(name) || !isSecret(name, value)) kept.push([name, value])
    else if (value.length >= MIN_SECRET_LENGTH) secrets.push(value)
  }
  // The value of a secret may also be part of another variable.
  const clean = kept.filter(
    ([name, value]) => keep.includes(name) || !secrets.some((secret) => value.includes(secret)),
  )
  return { ...Object.fromEntries(clean), ...QUIET }
}

/** A shorter secret would occur in other values by chance. */
const MIN_SECRET_LENGTH = 8

/** True if a variable looks like a secret. */
export function isSecret(name: string, value: string): boolean {
  if (NOT_SECRETS.has(name)) return false
  const words = name.toUpperCase().split(/[^A-Z0-9]+/)
  const joined = words.join('')
  return (
    words.some((word) => SECRET_WORDS.has(word)) ||
    SECRET_TEXTS.some((text) => joined.includes(text)) ||
    SECRET_VALUES.some((pattern) => pattern.test(value))
  )
}

function changesShell(name: string): boolean {
  return SHELL_VARIABLES.has(name) || name.startsWith('BASH_FUNC_')
}
