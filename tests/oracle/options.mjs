/** Programs with their own options: those in their tables, and those in their help output. */
import { quoted } from './grammar.mjs'

const VALUES =
  `NEWFILE .env ./evil.sh names.txt names0.txt 1 notes.txt /home/u/out.txt secrets touch·NEWFILE - evil.awk a sub evilrepo .
   x=NEWFILE @names.txt xml:NEWFILE secrets/key.txt .en* * 10 src always , 2 0 never auto json utf-8 foo HEAD out/v`
    .split(/\s+/)
    .map((value) => value.replace('·', ' '))
const OPERANDS =
  `notes.txt src . NEWFILE README.md a.json sub HEAD a.csv list.txt names.txt - evil.sh foo HEAD~1 main src/a.ts a hi *.txt
   src/* out evil.js evil.py {notes,list}.txt .b 1p {print} a.gz a.bz2 a.xz a.zst a.lz4 a.tar a.yaml a.toml a.xml a.o
   out/old.txt out/n a.rb a.lua a.pl a.c test ok build 2 10 + %s +%F x=1 localhost docs a.diff run list version
   test.py test.sh a.sorted`.split(/\s+/)
const INPUTS = [
  'echo .env',
  "printf '.env\\0'",
  'echo NEWFILE',
  "echo 'touch NEWFILE'",
  'echo HEAD:.env',
  'echo ./evil.sh',
  'cat notes.txt',
  'cat a.json',
]
const DENY = ['Read(.env)', 'Read(./secrets/**)']
const PRINT = ['Bash(echo:*)', 'Bash(printf:*)', 'Bash(cat:*)']

/** A shell command with a program that is allowed by name. */
export function optionText(choose, program) {
  const { pick, chance } = choose
  const made = wordsOf(choose, program)
  let text = made.join(' ')
  if (chance(0.2)) text = `${pick(INPUTS)} | ${text}`
  if (chance(0.1)) text += ` < ${pick(['names.txt', 'names0.txt', 'list.txt', 'notes.txt'])}`
  return { ...about(program), text, allow: [`Bash(${program.name}:*)`, ...PRINT], deny: DENY }
}

/**
 * Words that cause harm if a table is wrong about which of them are files: as the value of an
 * option, or after it.
 */
const TEMPTING = [
  (option) => `${option} /home/u/out.txt`,
  (option) => `${option} .env`,
  (option) => `notes.txt ${option} .env`,
  (option) => `${option} NEWFILE notes.txt`,
  (option) => `${option}${option.startsWith('--') ? '=' : ''}NEWFILE notes.txt`,
]

/**
 * Every option of a program that its table allows, before every tempting word. Undefined after the
 * last one.
 */
export function eachOptionText(program, number) {
  const { name, loose } = program
  // Most programs of these families are slow, and may write.
  const forms = loose ? TEMPTING.slice(0, 1) : TEMPTING
  const uses = (program.uses ??= usesOf(program))
  const use = uses[Math.floor(number / forms.length)]
  if (!use) return undefined
  const text = `${name} ${use.command}${forms[number % forms.length](use.option)}`
  return { ...about(program), text, allow: [`Bash(${name}:*)`], deny: DENY }
}

const usesOf = ({ vocabulary }) =>
  [undefined, ...vocabulary.commands].flatMap((command) => {
    const { usage, options } = vocabulary.usage(command)
    if (usage.always) return []
    const names = new Set(options.map((entry) => entry.replace(/\[?=.*/, '')))
    return [...names].map((option) => ({ command: command ? `${command} ` : '', option }))
  })

/**
 * A shell command with a program that a rule allows with exactly these words. The command may
 * contain other words.
 */
export function exactText(choose, program) {
  const { pick, below, chance } = choose
  const made = wordsOf(choose, program).filter((word) => /^[\w%+,./:=@-]+$/.test(word))
  const exact = made.filter((word) => !/out\.txt$|\.env|secrets/.test(word))
  const words = chance(0.15) ? changed() : exact
  const command = words.map((word) => (chance(0.08) ? spelled(word) : word)).join(' ')
  const text = pick([
    ...Array.from({ length: 12 }, () => command),
    ...[
      `(${command})`,
      `{ ${command}; }`,
      `${command}; echo hi`,
      `echo hi && ${command}`,
      `! ${command}`,
    ],
    ...[
      `${command} | cat`,
      `cat notes.txt | ${command}`,
      `${command} < notes.txt`,
      `${command} 2>&1`,
    ],
    ...[
      `${command} > /dev/null`,
      `${command} > out/x`,
      `${command} > NEWFILE`,
      `timeout 2 ${command}`,
    ],
    ...[
      `for i in 1 2; do ${command}; done`,
      `x=$(${command}); echo "$x"`,
      `if ${command}; then echo; fi`,
    ],
    ...[`A=1 ${command}`, `CI=1 ${command}`, `PATH=evilbin:$PATH ${command}`, `nice ${command}`],
    ...[
      `${command} # x`,
      `${command} <<'E'\nx\nE`,
      `${command} &`,
      `env ${command}`,
      `time ${command}`,
    ],
  ])
  const allow = [`Bash(${exact.join(' ')})`, ...PRINT, 'Write(./out/**)']
  // `source` and `exec` run files in the shell itself, and `declare` shows the requested variable.
  const checked = program.isBuiltin ? { shows: true } : { exact }
  const rules = { allow, deny: [], loose: true, opaque: true, ...checked }
  return { ...about(program), text, ...rules }

  function changed() {
    const at = below(exact.length + 1)
    return pick([
      () => [...exact, pick(OPERANDS)],
      () => exact.toSpliced(at, 0, pick(['-v', '$x', '*', '"$@"', '$(echo)', '{a,b}', '""'])),
      () => exact.toSpliced(Math.max(1, at - 1), 1),
      () => [...exact.slice(0, -1), `${exact.at(-1)}*`],
    ])()
  }

  function spelled(word) {
    const at = below(word.length)
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    return pick([
      ...quoted(head, tail),
      `${head}\\\n${tail}`,
      `{${word},}`,
      `${head}?${tail.slice(1)}`,
    ])
  }
}

const about = ({ name, loose, program }) => ({
  about: name,
  loose,
  opaque: program.opaque === true,
})

/** A use of a program: mostly plain, with some unusual parts. */
function wordsOf({ pick, below, chance }, { name, vocabulary }) {
  const command = chance(vocabulary.often) ? pick(vocabulary.commands) : undefined
  const { usage, options } = vocabulary.usage(command)
  const inner = usage.commands && chance(0.95) ? pick(Object.keys(usage.commands)) : undefined
  const plainly = chance(0.6)
  const made = [name, ...(command ? [command] : []), ...(inner ? [inner] : [])]
  for (let left = below(4); left > 0; left--) made.push(...option())
  for (let left = below(usage.operandsReach && plainly ? 1 : 3), at = 0; left > 0; left--, at++)
    made.push(operand(at))
  return made

  function operand(at) {
    const plain = [usage.plainOperand, at === 0 ? usage.plainFirst : undefined].filter(Boolean)
    const known = plainly
      ? OPERANDS.filter((each) => plain.every((pattern) => pattern.test(each)))
      : OPERANDS
    return pick(known.length > 0 ? known : OPERANDS)
  }

  function option() {
    const isRare = options.length === 0 || (!plainly && chance(0.5))
    const known = isRare ? vocabulary.rare : options
    if (known.length === 0) return []
    const entry = pick(known)
    const [, full, marks = '', choices] = /^([^=[]+)(\[?==?)?(.*?)\]?$/.exec(entry) ?? ['', entry]
    const value = choices ? pick(choices.split('|')) : pick(VALUES)
    const quoted = /[\s*@%{}\\]/.test(value) ? `'${value}'` : value
    if (plainly && !isRare) {
      if (!marks) return [full]
      if (marks === '==') return [full, 'x', quoted]
      const attached = full.startsWith('--') ? `${full}=${quoted}` : `${full}${quoted}`
      if (marks === '[=') return [chance(0.5) ? full : attached]
      return chance(0.5) ? [full, quoted] : [attached]
    }
    const shown = chance(0.05) && full.length > 5 ? full.slice(0, 4 + below(full.length - 4)) : full
    if (chance(0.15)) {
      const letters = options.flatMap((each) => /^-([A-Za-z0-9])(?![\w-])/.exec(each)?.[1] ?? [])
      if (letters.length > 1)
        return [`-${pick(letters)}${pick(letters)}${chance(0.3) ? quoted : ''}`]
    }
    switch (below(5)) {
      case 0:
        return [shown.startsWith('--') ? `${shown}=${quoted}` : `${shown}${quoted}`]
      case 1:
        return [shown, quoted]
      default:
        return [shown]
    }
  }
}
