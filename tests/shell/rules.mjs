/** The rules that texts are judged by, and an independent list of the programs that each set of rules covers. */

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

/** Why a list of words must not run under a set of rules, whatever was judged; undefined if it may. */
export function forbidden(words, { programs, deny }) {
  const [name] = words
  const named = WRAPPERS.includes(name) ? words : [name]
  const denied = deny.length > 0 && named.find((word) => DENIED.includes(baseName(word)))
  if (denied) return `a deny rule covers ${denied}`
  if (programs === undefined || INERT.includes(name)) return undefined
  const covered = WRAPPERS.includes(name) ? words.slice(1) : [name]
  if (covered.some((word) => programs.includes(word) || INERT.includes(word))) return undefined
  return WRAPPERS.includes(name) && words.length === 1 ? undefined : `no rule covers ${name}`
}

const baseName = (path) => path.slice(path.lastIndexOf('/') + 1)
