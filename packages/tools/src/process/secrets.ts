/** Words in a variable's name, separated by underscores, that mark it as a secret. */
export const SECRET_WORDS: ReadonlySet<string> = new Set(
  `AUTH AUTHORIZATION BEARER COOKIE COOKIES CREDENTIAL CREDENTIALS CREDS DSN JWT KEY KEYS PASS PASSPHRASE PASSWD
   PASSWORD PASSWORDS PAT PRIVATE PWD SALT SECRET SECRETS SIGNATURE TOKEN TOKENS WEBHOOK`.split(
    /\s+/,
  ),
)

/** Texts that do so anywhere in a name, ignoring underscores. */
export const SECRET_TEXTS: readonly string[] = [
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

/** Names that only look like secrets. */
export const NOT_SECRETS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'COLOR_KEY', 'GPG_KEY'])

/** Patterns of secrets anywhere in a value. None of them backtracks. */
export const SECRET_VALUES: readonly RegExp[] = [
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

/** Variables that change how a shell runs a command: what ran would not be what was permitted. */
export const SHELL_VARIABLES: ReadonlySet<string> = new Set(
  'BASHOPTS BASH_ENV BASH_XTRACEFD CDPATH ENV FORCE_COLOR GIT_ASKPASS GLOBIGNORE IFS POSIXLY_CORRECT PROMPT_COMMAND PS4 SHELLOPTS SSH_ASKPASS'.split(
    ' ',
  ),
)
