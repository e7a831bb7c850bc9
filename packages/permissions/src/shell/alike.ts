import type { Program, Usage, Wrapper } from './program.ts'

/**
 * Fields of a table that also hold for a program whose name is only like the listed one: they restrict it, or say which of its
 * words are options. All others permit something, and hold only for the exact name: `./true`, `true-1` and `true.exe` may be
 * any program.
 */
const RESTRICTIONS = [
  ...['names', 'same', 'oneDash', 'early', 'ends', 'options', 'open', 'gnu'],
  ...['reach', 'always', 'bare', 'bareFine', 'operandReach', 'valueReach', 'operandsReach'],
  ...[
    'plainFirst',
    'plainOperand',
    'revisions',
    'passes',
    'script',
    'otherwise',
    'stated',
    'asksFor',
  ],
  ...[
    'operands',
    'files',
    'redirects',
    'writesWith',
    'writesUnless',
    'implied',
    'removes',
    'copies',
  ],
  ...['evaluates', 'obeys', 'opaque', 'past', 'pastWith', 'followsImports', 'brings', 'fills'],
  ...['tracks', 'discards', 'commitsNew', 'imports', 'clones'],
] as const satisfies readonly (keyof Program)[]

const known = new WeakMap<Usage, Usage>()

/** The entry for a program whose name is only like a listed one. */
export const alikeOf = (program: Program): Program => restricted(program) as Program

function restricted(usage: Usage): Usage {
  const found = known.get(usage)
  if (found) return found
  const { texts, wrapper, commands } = usage
  const made: Usage = {
    ...Object.fromEntries(
      Object.entries(usage).filter(([name]) => (RESTRICTIONS as readonly string[]).includes(name)),
    ),
    ...(texts !== undefined && { options: `${usage.options ?? ''} ${texts}` }),
    ...(wrapper && restrictedWrapper(wrapper)),
    ...(commands && {
      commands: Object.fromEntries(
        Object.entries(commands).map(([name, inner]) => [name, restricted(inner)]),
      ),
    }),
    alike: true,
  }
  known.set(usage, made)
  return made
}

function restrictedWrapper(wrapper: Wrapper): Pick<Usage, 'wrapper' | 'always'> {
  const { clear, unless: _, ...rest } = wrapper
  return { wrapper: rest, ...(clear && { always: 'may be another program that runs a command' }) }
}
