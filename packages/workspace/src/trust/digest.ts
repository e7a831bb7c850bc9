import { createHash } from 'node:crypto'
import { comesWithFolder } from '../settings/untrusted-grants.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import { resolvePath } from '../inside.ts'
import { readRegularFile } from '@toolglot/agent/internal'

/**
 * A hash of what a person is shown before they trust a folder: what its settings allow and what they except from that, and
 * the code they name, since that is what would run.
 */
export function digestOf(files: readonly SettingsFile[], home: string): string {
  const shown = files
    .filter(comesWithFolder)
    .map(({ file, rules, roots, protocols, values, mode }) => [
      file,
      rules.map(({ verdict, text }) => [verdict, text]),
      roots.map(({ path }) => path),
      protocols.map(({ path, source }) => [
        path,
        hashOf(resolvePath(path, source.root ?? '/', home)),
      ]),
      mode ?? null,
      ...values.map(({ key, value }) => [key, value]),
    ])
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
}

function hashOf(file: string): string | null {
  const content = readRegularFile(file, 1 << 20)
  return 'bytes' in content ? createHash('sha256').update(content.bytes).digest('hex') : null
}
