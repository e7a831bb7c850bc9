import { Input } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { duplicateKeyIn } from './duplicate-key.ts'
import { readJson } from './read.ts'
import { JsonScanner } from './scanner.ts'

/** Whether a value may be repaired this way. If so, the repair is recorded. */
export type TryRepair = (repair: string) => boolean

/** Reads a whole text as one value written as in Python: with single quotes, True and None. */
export function readLoosely(text: string, tryRepair: TryRepair): { value: unknown } | undefined {
  const input = new Input()
  input.append(text)
  input.finish()
  const scanner = new JsonScanner(0)
  const json: string[] = []
  scanner.sink = (piece) => json.push(piece)
  // The whole text is there, so the reader never waits.
  const taken = new Set<string>()
  const draft = {
    ...PYTHON,
    repair: (name: string) => REPAIRS.has(name) && !!taken.add(name),
  }
  const { value: read } = readJson(input, scanner, draft).next()
  const whole = json.join('')
  return read === true &&
    input.length === 0 &&
    duplicateKeyIn(whole) === undefined &&
    [...taken].every(tryRepair)
    ? { value: JSON.parse(whole) as unknown }
    : undefined
}

const REPAIRS = new Set(['single-quotes', 'python-word', 'trailing-comma', 'raw-control'])

const PYTHON = {
  guard: new Marks(),
  closing: undefined,
  mayRepair: true,
  fail: (): false => false,
  suspect: () => {},
}
