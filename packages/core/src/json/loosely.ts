import { Input } from '../read/input.ts'
import { NO_MARKS } from '../read/marks.ts'
import { duplicateKeyIn } from './duplicate-key.ts'
import { readJsonText } from './read.ts'

/** Whether a value may be repaired this way. If so, the repair is recorded. */
export type TryRepair = (repair: string) => boolean

/** Reads a whole text as one value written as in Python: with single quotes, True and None. */
export function readLoosely(text: string, tryRepair: TryRepair): { value: unknown } | undefined {
  const input = new Input()
  input.append(text)
  input.finish()
  const taken = new Set<string>()
  const builder = {
    ...PYTHON,
    take: (name: string) => REPAIRS.has(name) && !!taken.add(name),
  }
  // The whole text is there, so the reader never waits.
  const { value: json } = readJsonText(input, builder).next()
  return typeof json === 'string' &&
    input.length === 0 &&
    duplicateKeyIn(json) === undefined &&
    [...taken].every(tryRepair)
    ? { value: JSON.parse(json) as unknown }
    : undefined
}

const REPAIRS = new Set(['single-quotes', 'python-word', 'trailing-comma', 'raw-control'])

const PYTHON = {
  guard: NO_MARKS,
  closing: undefined,
  mayRepair: true,
  note: (): true => true,
  fail: (): false => false,
  suspect: () => {},
}
