import type { Program, Usage, Wrapper } from './program.ts'

/**
 * Fields of a table that permit more than an unknown program is permitted. They describe the program that is listed, and hold
 * only for its exact name: `./true`, `true-1` and `true.exe` may be any program.
 */
const LIBERTIES = [
  // It has no effect, or only reads.
  ...['harmless', 'idle', 'onlyReads', 'still', 'input', 'formats', 'passesAnything'],
  // It changes the shell in a known way.
  ...['moves', 'leaves', 'returns', 'sets', 'prefixes'],
  // Its output is known.
  ...[
    'printsNames',
    'printsOperands',
    'printsPlain',
    'printsTracked',
    'printsHash',
    'filters',
    'chooses',
  ],
  // It uses only some of the files in a folder, or only their names.
  ...['only', 'onlyUnless', 'sources', 'listsWith', 'summarizesWith', 'tracked', 'compares'],
  // Some of its options change nothing, or prevent something.
  ...['runsIn', 'partOf', 'selects', 'fillsUnless', 'restores', 'shallow'],
] as const satisfies readonly (keyof Usage)[]

const known = new WeakMap<Usage, Usage>()

/** The entry for a program whose name is only like a listed one: with all restrictions, and without liberties. */
export const alikeOf = (program: Program): Program => restricted(program) as Program

function restricted(usage: Usage): Usage {
  const found = known.get(usage)
  if (found) return found
  const { texts, wrapper, commands, ...rest } = usage
  for (const liberty of LIBERTIES) delete (rest as Partial<Record<keyof Usage, unknown>>)[liberty]
  const made: Usage = {
    ...rest,
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
