import { hashOf, random } from '../oracle/random.mjs'
import { grammarText } from './grammar.mjs'
import { mutated } from './mutate.mjs'
import { SETS } from './rules.mjs'
import { SEEDS } from './seeds.mjs'
import { TAME } from './words.mjs'

/** Commands that need no rule, and names similar to theirs. */
const IDLE = [
  ...['true', ':', 'true a', 'false', 'test -n a', '[ a = b ]', 'cd src', 'cd .', 'true -n', ': a'],
  ...['true', ':', './true', 'script/test', 'true-1', 'true.exe', 'wait', 'true', 'true'],
]
const COVERED = [
  ...['echo a', 'cat notes.txt', 'ls', 'ls src', 'grep a notes.txt', 'printf %s a', 'find src'],
  ...[
    'git status',
    'head -1 a',
    'wc -l',
    'sort',
    'echo',
    'cat',
    'true',
    ':',
    'find . -name a',
    'echo',
  ],
]
const UNCOVERED = ['touch P', 'rm P', 'dd', 'touch P Q', 'evil', './evil', 'rm -rf a', 'touch "P"']

/**
 * The text with a number, and the rules for judging it. Both depend only on the seed and the
 * number.
 */
export function textNumber(seed, number) {
  const choices = random(seed ^ hashOf(`shell ${number}`))
  const { pick, chance } = choices
  const set = SETS[number % SETS.length]
  const commands = set.allow.length === 0 ? IDLE : COVERED
  const isWild = chance(0.3)
  const argument = (probability) => (chance(probability) ? ` ${pick(TAME)}` : '')
  const source = {
    ...choices,
    isWild,
    good: () => pick(commands) + argument(0.6) + argument(0.2),
    bad: () => pick(UNCOVERED),
  }
  const command = (kind) => (kind === '§' ? source.good() : source.bad())
  const seeded = () => pick(SEEDS).replace(/[§¶]/g, command)
  const valid = () => (chance(0.5) ? seeded() : grammarText(source))
  const text = valid()
  return { text: chance(0.5) ? mutated(text, source, valid) : text, set }
}
