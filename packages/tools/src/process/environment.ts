import {
  NOT_SECRETS,
  SECRET_TEXTS,
  SECRET_VALUES,
  SECRET_WORDS,
  SHELL_VARIABLES,
} from './secrets.ts'

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

/** The environment for a command: ours without its secrets, and non-interactive. */
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
  // The value of a secret may also appear in another variable.
  const clean = kept.filter(
    ([name, value]) => keep.includes(name) || !secrets.some((secret) => value.includes(secret)),
  )
  return { ...Object.fromEntries(clean), ...QUIET }
}

/** A shorter secret would occur in other values by chance. */
const MIN_SECRET_LENGTH = 8

/** Whether a variable looks like a secret. */
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
