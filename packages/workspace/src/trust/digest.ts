import { createHash } from 'node:crypto'
import { isFolders } from '../settings/offer.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import { resolvePath } from '../inside.ts'
import { readFile } from '@toolglot/agent/internal'

/**
 * A hash of what a person is shown before they trust a folder: what its settings allow and what they except from that, and
 * the code they name, since that is what would run.
 */
export function digestOf(files: readonly SettingsFile[], home: string): string {
  const shown = files
    .filter(isFolders)
    .map(({ file, rules, roots, protocols, sayings, mode }) => [
      file,
      rules.map(({ verdict, text }) => [verdict, text]),
      roots.map(({ path }) => path),
      protocols.map(({ path, source }) => [
        path,
        hashOf(resolvePath(path, source.root ?? '/', home)),
      ]),
      mode ?? null,
      ...sayings.map(({ key, value }) => [key, value]),
    ])
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
}

function hashOf(file: string): string | null {
  const content = readFile(file, 1 << 20)
  return 'bytes' in content ? createHash('sha256').update(content.bytes).digest('hex') : null
}
