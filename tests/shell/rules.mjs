/**
 * The rules for judging commands, and an independent list of the programs covered by each set of
 * rules.
 */

const PROGRAMS = 'echo cat ls grep printf find head wc sort'.split(' ')
const ORDINARY = [...PROGRAMS.map((name) => `Bash(${name}:*)`), 'Bash(git status:*)']
const DENIED = ['touch', 'rm', 'dd']
const DENY = DENIED.map((name) => `Bash(${name}:*)`)

/** Builtins that need no rule. */
const INERT = 'true false : break continue return exit cd test [ read export set wait'.split(' ')

/** Programs that only run another one. */
const WRAPPERS = 'command builtin nice nohup timeout env stdbuf time'.split(' ')

export const SETS = [
  { name: 'no rules', allow: [], deny: [], programs: [] },
  { name: 'ordinary rules', allow: ORDINARY, deny: [], programs: [...PROGRAMS, 'git'] },
  { name: 'deny rules', allow: ORDINARY, deny: DENY, programs: [...PROGRAMS, 'git'] },
  { name: 'any program', allow: ['Bash'], deny: DENY, programs: undefined },
  {
    name: 'writing',
    allow: [...ORDINARY, 'Write(./**)'],
    deny: [],
    programs: [...PROGRAMS, 'git'],
  },
]

/**
 * The reason why a list of words must not run under a set of rules, regardless of the judgment;
 * undefined if it may.
 */
export function forbidden(words, { programs, deny }) {
  const name = programOf(words)
  if (name === undefined) return undefined
  if (deny.length > 0 && DENIED.includes(name.slice(name.lastIndexOf('/') + 1)))
    return `a deny rule covers ${name}`
  if (programs === undefined || programs.includes(name) || INERT.includes(name)) return undefined
  return `no rule covers ${name}`
}

/** The program that a command ultimately runs; undefined for a wrapper without one. */
function programOf([name, ...rest]) {
  if (!WRAPPERS.includes(name)) return name
  // The duration of `timeout` may be any text.
  const from = name === 'timeout' ? rest.findIndex((word) => !word.startsWith('-')) + 1 : 0
  const at = rest.findIndex((word, index) => index >= from && !OWN_WORDS.test(word))
  return at < 0 ? undefined : programOf(rest.slice(at))
}

/** Options, numbers and assignments. */
const OWN_WORDS = /^-|^[\d.]+[smhd]?$|^\w+=/
