/** Exit codes that are not failures, by program. */
const MEANINGS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  '[': { 1: 'the condition is false' },
  '[[': { 1: 'the condition is false' },
  cmp: { 1: 'the files differ' },
  diff: { 1: 'the files differ' },
  egrep: { 1: 'no line matches' },
  fgrep: { 1: 'no line matches' },
  find: { 1: 'some folders could not be read' },
  'git diff': { 1: 'there are differences' },
  'git grep': { 1: 'no line matches' },
  grep: { 1: 'no line matches' },
  pgrep: { 1: 'no process matches' },
  rg: { 1: 'no line matches' },
  test: { 1: 'the condition is false' },
  which: { 1: 'there is no such program' },
}

/**
 * The meaning of an exit code that is not a failure. The code is the exit code of the last program
 * in the command.
 */
export function exitCodeMeaning(command: string, exitCode: number): string | undefined {
  const parts = command.split(/[|;&\n]+/).filter((part) => part.trim() !== '')
  const words = parts.at(-1)?.trim().split(/\s+/) ?? []
  const program = words[0] === 'git' ? `git ${words[1]}` : (words[0] ?? '')
  return Object.hasOwn(MEANINGS, program) ? MEANINGS[program]![exitCode] : undefined
}
