import { Input } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { readJson } from './read.ts'
import { JsonScanner } from './scanner.ts'

/** A whole text that is one value in Python's way of writing it: in single quotes, with True and None. */
export function readLoosely(text: string): { value: unknown } | undefined {
  const input = new Input()
  input.append(text)
  input.finish()
  const scanner = new JsonScanner(0)
  const json: string[] = []
  scanner.sink = (piece) => json.push(piece)
  // All of it is there, so the reader never waits.
  const { value: read } = readJson(input, scanner, PYTHON).next()
  return read === true && input.length === 0
    ? { value: JSON.parse(json.join('')) as unknown }
    : undefined
}

const LIBERTIES = new Set(['single-quotes', 'python-word', 'trailing-comma'])

const PYTHON = {
  guard: new Marks(),
  closing: undefined,
  mends: true,
  mend: (repair: string) => LIBERTIES.has(repair),
  fail: (): false => false,
  suspect: () => {},
}
