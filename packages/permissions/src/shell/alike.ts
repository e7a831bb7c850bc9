import type { Program, Usage, Wrapper } from './program.ts'

/**
 * Fields of a table that also apply to programs with a similar name, because they only restrict the
 * program or describe its options. All other fields permit something and apply only to the exact
 * name: `./true`, `true-1` and `true.exe` may be any program.
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

/** The entry for a program whose name is similar to a listed one. */
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
