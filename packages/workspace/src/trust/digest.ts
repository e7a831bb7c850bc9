import { createHash, randomUUID } from 'node:crypto'
import { readRegularFile } from '@toolglot/agent/internal'
import { resolvePath } from '../inside.ts'
import { codeFilesOf } from '../settings/code-files.ts'
import type { SettingValue } from '../settings/keys/key.ts'
import type { PathText, SettingsFile } from '../settings/settings-file.ts'
import { comesWithFolder } from '../settings/untrusted-grants.ts'
import { importedFiles, MAX_CODE_BYTES } from './imported-files.ts'

/**
 * A hash of what a person sees before they trust a folder: what its settings allow, with the exceptions, and the code that
 * they name, since that is what would run.
 */
export function digestOf(files: readonly SettingsFile[], home: string): string {
  const shown = files
    .filter(comesWithFolder)
    .map(({ file, rules, roots, protocols, values, mode }) => [
      file,
      rules.map(({ verdict, text }) => [verdict, text]),
      roots.map(({ path }) => path),
      protocols.map((protocol) => codeOf(protocol, home)),
      mode ?? null,
      ...values.map((each) => valueOf(each, home)),
    ])
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
}

function valueOf(given: SettingValue, home: string): unknown[] {
  const code = codeFilesOf(given)?.map((file) => codeOf(file, home))
  return [given.key, code ?? given.value]
}

/** A file with code, and the files it imports: a change of any of them changes the digest. */
function codeOf({ path, source }: PathText, home: string): unknown[] {
  const file = resolvePath(path, source.root ?? '/', home)
  return [path, hashOf(file), ...importedFiles(file).map((each) => [each, hashOf(each)])]
}

/** The hash of a file; null if it does not exist. What cannot be read is never the same twice, so it is never trusted. */
function hashOf(file: string): string | null {
  const content = readRegularFile(file, MAX_CODE_BYTES)
  if ('missing' in content) return null
  return 'bytes' in content
    ? createHash('sha256').update(content.bytes).digest('hex')
    : `unreadable ${randomUUID()}`
}
