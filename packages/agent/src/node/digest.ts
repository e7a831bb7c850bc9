import { createHash } from 'node:crypto'
import type { Offer } from '../settings/offer.ts'
import { resolvePath } from './inside.ts'
import { readFile } from './read-file.ts'

/** A hash of what a person is shown before they trust a folder: with the code it names, since that is what would run. */
export function digestOf({ rules, roots, protocols, mode }: Offer, home: string): string {
  const shown = {
    rules: rules.map(({ text, source }) => [source.file, text]),
    roots: roots.map(({ path, source }) => [source.file, path]),
    protocols: protocols.map(({ path, source }) => [
      source.file,
      path,
      hashOf(resolvePath(path, source.root ?? '/', home)),
    ]),
    mode: mode ?? null,
  }
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
}

function hashOf(file: string): string | null {
  const content = readFile(file, 1 << 20)
  return 'bytes' in content ? createHash('sha256').update(content.bytes).digest('hex') : null
}
