import { createHash, randomUUID } from 'node:crypto'
import { readRegularFile } from '@toolglot/permissions/node/internal'
import { resolvePath } from '../inside.ts'
import { codeFilesOf, startedFiles } from '../settings/code-files.ts'
import type { SettingValue } from '../settings/keys/key.ts'
import type { PathText, SettingsFile } from '../settings/settings-file.ts'
import { comesWithFolder } from '../settings/untrusted-grants.ts'
import { importedFiles, MAX_CODE_BYTES } from './imported-files.ts'

/**
 * Hashes what a person sees before they trust a folder: what its settings allow, with the exceptions, and the code that they
 * name, or start programs with, since that is what would run. Code is read once, so that digests of different settings are about the same code.
 */
export function createDigest(home: string): (files: readonly SettingsFile[]) => string {
  const known = new Map<string, unknown[]>()
  const hashesOfCode = (file: string): unknown[] => {
    let hashes = known.get(file)
    if (!hashes) known.set(file, (hashes = hashesOf(file)))
    return hashes
  }
  const codeOf = ({ path, source }: PathText): unknown[] => [
    path,
    ...hashesOfCode(resolvePath(path, source.root ?? '/', home)),
  ]
  const valueOf = (given: SettingValue): unknown[] => [
    given.key,
    codeFilesOf(given)?.map(codeOf) ?? given.value,
    ...startedFiles(given, { home }).flatMap(({ path, isFolder }) =>
      isFolder ? [] : [[path, ...hashesOfCode(path)]],
    ),
  ]
  return (files) => {
    const shown = files
      .filter(comesWithFolder)
      .map(({ file, rules, roots, protocols, values, mode }) => [
        file,
        rules.map(({ verdict, text }) => [verdict, text]),
        roots.map(({ path }) => path),
        protocols.map(codeOf),
        mode ?? null,
        ...values.map(valueOf),
      ])
    return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
  }
}

/** The hashes of a file with code, and of the files it imports: a change of any of them changes the digest. */
function hashesOf(file: string): unknown[] {
  return [hashOf(file), ...importedFiles(file).map((each) => [each, hashOf(each)])]
}

/** The hash of a file; null if it does not exist. What cannot be read is never the same twice, so it is never trusted. */
function hashOf(file: string): string | null {
  const content = readRegularFile(file, MAX_CODE_BYTES)
  if ('missing' in content) return null
  return 'bytes' in content
    ? createHash('sha256').update(content.bytes).digest('hex')
    : `unreadable ${randomUUID()}`
}
