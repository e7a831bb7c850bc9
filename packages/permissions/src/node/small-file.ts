import { readFileSync, statSync } from 'node:fs'

const MAX_SIZE = 100_000

/** The text of a file with settings; undefined if there is none. Throws if it is too long, or something that may never end. */
export function readSmallFile(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return undefined
  if (!found.isFile() || found.size > MAX_SIZE) throw new Error(`Expected a small file: ${file}.`)
  return readFileSync(file, 'utf8')
}
