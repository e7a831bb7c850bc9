import { realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isInside } from '../paths/inside.ts'
import type { Environment } from '../process/environment.ts'
import type { Policy } from './sandbox.ts'

/** The existing paths that commands must not see, except those that contain a workspace. */
export async function findHidden(
  policy: Pick<Policy, 'home' | 'writable' | 'records' | 'environment'>,
): Promise<{ readonly path: string; readonly isFolder: boolean }[]> {
  const { home, writable, records, environment = {} } = policy
  const places = [
    ...HIDDEN_NAMES.map((name) => join(home, name)),
    ...movedPlaces(environment),
    // Whoever has the main token can approve their own calls.
    join(dirname(records), 'tokens.json'),
  ]
  const found = await Promise.all(
    [...new Set(places)].map(async (place) => {
      try {
        const path = await realpath(place)
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

/** Where variables say that secrets are. */
function movedPlaces(environment: Environment): string[] {
  const foldersIn = (name: string): string[] =>
    (environment[name] ?? '').split(delimiter).filter((path) => isAbsolute(path))
  const places = Object.entries(MOVED).flatMap(([variable, names]) =>
    foldersIn(variable).flatMap((folder) => names.map((name) => join(folder, name))),
  )
  const shared = Object.entries(XDG).flatMap(([variable, usual]) =>
    foldersIn(variable).flatMap((folder) =>
      HIDDEN_NAMES.filter((name) => name.startsWith(usual)).map((name) =>
        join(folder, name.slice(usual.length)),
      ),
    ),
  )
  return [...places, ...shared]
}

/** Variables that name a file with secrets, or a folder and what is in it. */
const MOVED: Readonly<Record<string, readonly string[]>> = {
  AWS_CONFIG_FILE: ['.'],
  AWS_SHARED_CREDENTIALS_FILE: ['.'],
  AZURE_CONFIG_DIR: ['.'],
  CARGO_HOME: ['credentials', 'credentials.toml'],
  CLAUDE_CONFIG_DIR: ['.credentials.json'],
  CLOUDSDK_CONFIG: ['.'],
  CODEX_HOME: ['auth.json'],
  COMPOSER_HOME: ['auth.json'],
  DOCKER_CONFIG: ['config.json'],
  GH_CONFIG_DIR: ['.'],
  GNUPGHOME: ['.'],
  GOOGLE_APPLICATION_CREDENTIALS: ['.'],
  KUBECONFIG: ['.'],
  NETRC: ['.'],
  NPM_CONFIG_USERCONFIG: ['.'],
  PASSWORD_STORE_DIR: ['.'],
  PGPASSFILE: ['.'],
  npm_config_userconfig: ['.'],
}

/** Variables for folders that many programs share, and where these usually are. */
const XDG: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: '.config/',
  XDG_DATA_HOME: '.local/share/',
}

/** Files and folders with secrets in the home folder. */
const HIDDEN_NAMES: readonly string[] = [
  '.aws',
  '.azure',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.composer/auth.json',
  '.config/BraveSoftware',
  '.config/chromium',
  '.config/composer/auth.json',
  '.config/doctl',
  '.config/gcloud',
  '.config/gh',
  '.config/git/credentials',
  '.config/glab-cli',
  '.config/google-chrome',
  '.config/op',
  '.config/rclone',
  '.docker/config.json',
  '.gem/credentials',
  '.gemini/oauth_creds.json',
  '.git-credentials',
  '.gnupg',
  '.kube',
  '.local/share/keyrings',
  '.local/share/opencode/auth.json',
  '.local/state/toolglot/tokens.json',
  '.m2/settings.xml',
  '.mozilla',
  '.netrc',
  '.npmrc',
  '.oci',
  '.password-store',
  '.pgpass',
  '.pypirc',
  '.ssh',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
]
