import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '../paths/inside.ts'

/** What commands must not see, of what there is; without what a workspace lies in. */
export async function findHidden(
  home: string,
  writable: readonly string[],
): Promise<{ readonly path: string; readonly isFolder: boolean }[]> {
  const found = await Promise.all(
    HIDDEN_NAMES.map(async (name) => {
      try {
        const path = await realpath(join(home, name))
        return { path, isFolder: (await stat(path)).isDirectory() }
      } catch {
        return undefined // There is none.
      }
    }),
  )
  return found
    .filter((one) => one !== undefined)
    .filter(({ path }) => !writable.some((root) => isInside(root, path)))
}

/** What in a home holds secrets: commands do not see it. */
const HIDDEN_NAMES: readonly string[] = [
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/google-chrome',
  '.docker/config.json',
  '.git-credentials',
  '.gnupg',
  '.kube',
  '.local/share/keyrings',
  '.mozilla',
  '.netrc',
  '.npmrc',
  '.password-store',
  '.pypirc',
  '.ssh',
]
