import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '../paths/inside.ts'

/** The existing paths that commands must not see, except those that contain a workspace. */
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
        return undefined // Missing.
      }
    }),
  )
  return found
    .filter((one) => one !== undefined)
    .filter(({ path }) => !writable.some((root) => isInside(root, path)))
}

/** Files and folders with secrets in the home folder. */
const HIDDEN_NAMES: readonly string[] = [
  '.aws',
  '.azure',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.config/gcloud',
  '.config/gh',
  '.config/google-chrome',
  '.docker/config.json',
  '.gemini/oauth_creds.json',
  '.git-credentials',
  '.gnupg',
  '.kube',
  '.local/share/keyrings',
  '.local/share/opencode/auth.json',
  // Whoever has the main token can approve their own calls.
  '.local/state/toolglot/tokens.json',
  '.mozilla',
  '.netrc',
  '.npmrc',
  '.password-store',
  '.pypirc',
  '.ssh',
]
