/** Programs with their own options: those that their tables list, and those that their help names. */
const VALUES = [
  ...[
    'NEWFILE',
    '.env',
    './evil.sh',
    'names.txt',
    'names0.txt',
    '1',
    'notes.txt',
    '/home/u/out.txt',
    'secrets',
    'touch NEWFILE',
    '-',
  ],
  ...[
    'evil.awk',
    'a',
    'sub',
    'evilrepo',
    '.',
    'x=NEWFILE',
    '@names.txt',
    'xml:NEWFILE',
    'secrets/key.txt',
    '.en*',
    '*',
    '10',
    'src',
    'always',
    ',',
  ],
]
const OPERANDS = [
  ...[
    'notes.txt',
    'src',
    '.',
    'NEWFILE',
    'README.md',
    'a.json',
    'sub',
    'HEAD',
    'a.csv',
    'list.txt',
    'names.txt',
    '-',
    'evil.sh',
    'foo',
  ],
  ...[
    'HEAD~1',
    'main',
    'src/a.ts',
    'a',
    'hi',
    '*.txt',
    'src/*',
    'out',
    'evil.js',
    'evil.py',
    '{notes,list}.txt',
    '.b',
    '1p',
    '{print}',
  ],
]
const INPUTS = [
  'echo .env',
  "printf '.env\\0'",
  'echo NEWFILE',
  "echo 'touch NEWFILE'",
  'echo HEAD:.env',
  'echo ./evil.sh',
  'cat notes.txt',
]

/** The text with a number, about one of these programs: `{ name, options, commands, loose }`. */
export function optionText({ pick, below, chance }, programs, number) {
  // Each program in turn.
  const { name, options, commands, loose, opaque } = programs[number % programs.length]
  const words = [name]
  if (commands.length > 0 && chance(0.95)) words.push(pick(commands))
  for (let left = below(4); left > 0 && options.length > 0; left--) words.push(...option())
  for (let left = below(3); left > 0; left--) words.push(pick(OPERANDS))
  let text = words.join(' ')
  if (chance(0.2)) text = `${pick(INPUTS)} | ${text}`
  if (chance(0.1)) text += ` < ${pick(['names.txt', 'names0.txt', 'list.txt', 'notes.txt'])}`
  return {
    text,
    allow: [`Bash(${name}:*)`, 'Bash(echo:*)', 'Bash(printf:*)', 'Bash(cat:*)'],
    deny: ['Read(.env)', 'Read(./secrets/**)'],
    loose,
    opaque,
    about: name,
  }

  function option() {
    const known = pick(options)
    const name =
      chance(0.05) && known.length > 5 ? known.slice(0, 4 + below(known.length - 4)) : known
    const value = pick(VALUES)
    const quoted = /[\s*@]/.test(value) ? `'${value}'` : value
    if (chance(0.15)) {
      const letters = options.filter((each) => /^-[A-Za-z0-9]$/.test(each)).map((each) => each[1])
      if (letters.length > 1)
        return [`-${pick(letters)}${pick(letters)}${chance(0.3) ? quoted : ''}`]
    }
    switch (below(5)) {
      case 0:
        return [name.startsWith('--') ? `${name}=${quoted}` : `${name}${quoted}`]
      case 1:
        return [name, quoted]
      default:
        return [name]
    }
  }
}
