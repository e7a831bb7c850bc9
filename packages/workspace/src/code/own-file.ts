import { realpathSync } from 'node:fs'
import { isInside, resolvePath } from '../inside.ts'
import type { PathText } from '../settings/settings-file.ts'
import { comesWithFolder } from '../settings/untrusted-grants.ts'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'

/** The real path of a file with code that settings name. Settings that come with a folder can only name files in it. */
export function ownFile({ path, source }: PathText, home: string): string {
  const { root = home } = source
  const file = realFile(resolvePath(path, root, home))
  if (comesWithFolder(source) && !isInside(file, root)) {
    throw new UserError('data', {
      expected: `a file in ${quote(root)}`,
      got: `${quote(path)}, which is outside`,
      advice: `correct ${quote(source.file ?? '')}`,
    })
  }
  return file
}

/** The real path of a file. Throws a UserError if it does not exist. */
export function realFile(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // It does not exist, or may not be looked at.
    throw new UserError('data', {
      expected: 'a file with code',
      got: `no file ${quote(path)}`,
      advice: 'check the path',
    })
  }
}
