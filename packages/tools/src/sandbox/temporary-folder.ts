import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join, dirname, relative } from 'node:path'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { findProgramOnPath } from '../paths/programs.ts'
import type { Environment } from '../process/environment.ts'
import { hasEnded, ownIdentity, type ProcessIdentity } from '../process/list-processes.ts'

/** Folders in the home folder that commands can write to: each run has its own, initially empty. */
const CACHES =
  '.cache .npm .yarn/berry .m2 .gradle .ivy2 .sbt .nuget .gem .bundle .composer/cache .pub-cache .cargo/registry .cargo/git go/pkg .ccache .pki .local/share/virtualenvs'

const isCache = (name: string): boolean => words(CACHES).includes(name)

const GIT_SETTINGS =
  'user.name user.email init.defaultbranch pull.rebase pull.ff merge.conflictstyle diff.algorithm core.autocrlf'.split(
    ' ',
  )

/** The folders mounted as /tmp and as the home folder of commands while a host is open. */
export interface TemporaryFolder {
  readonly folder: string
  readonly home: string
  remove(): Promise<void>
}

/** Creates a temporary folder, and removes the folders of killed processes. */
export async function makeTemporaryFolder(
  storage: string,
  environment: Environment,
  roots: readonly string[],
): Promise<TemporaryFolder> {
  makeFolder(storage)
  await removeLeftovers(storage)
  const around = await mkdtemp(join(storage, PREFIX))
  const [folder, home] = [join(around, 'files'), join(around, 'home')]
  try {
    await writeFile(join(around, OWNER_FILE), JSON.stringify(ownIdentity()))
    await mkdir(folder, { mode: 0o700 })
    const git = findProgramOnPath('git', environment['PATH'] ?? '', roots)
    await makePrivateHome(home, git, environment)
  } catch (error) {
    await removeAll(around)
    throw error
  }
  return { folder, home, remove: () => removeAll(around) }
}

const PREFIX = 'tmp-'
const OWNER_FILE = 'owner.json'

async function removeLeftovers(storage: string): Promise<void> {
  for (const name of await readdir(storage)) {
    if (!name.startsWith(PREFIX)) continue
    try {
      const owner = JSON.parse(
        readSmallFile(join(storage, name, OWNER_FILE)) ?? '',
      ) as ProcessIdentity
      if (hasEnded(owner)) await removeAll(join(storage, name))
    } catch {
      // The folder is being created or removed, or is not ours. It is harmless.
    }
  }
}

/** Removes a folder even if it contains read-only folders, such as Go modules. */
async function removeAll(folder: string): Promise<void> {
  await makeWritable(folder)
  await rm(folder, { recursive: true, force: true })
}

async function makeWritable(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700)
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await makeWritable(join(folder, entry.name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * Creates the home folder for commands: writable caches, and git's identity. No other file can be
 * created in it, so that a command doesn't appear to write to the real one.
 */
async function makePrivateHome(
  folder: string,
  git: string | undefined,
  env: Environment,
): Promise<void> {
  const readOnly = new Set([folder])
  for (const name of words(CACHES)) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    for (let each = dirname(join(folder, name)); each !== folder; each = dirname(each))
      readOnly.add(each)
  }
  const identity = git === undefined ? '' : await gitIdentity(git, env)
  writeFileSync(join(folder, '.gitconfig'), identity, { mode: 0o444 })
  for (const each of readOnly) if (!isCache(relative(folder, each))) chmodSync(each, 0o555)
}

/** The user's git settings without credentials or programs. */
async function gitIdentity(git: string, env: Environment): Promise<string> {
  const args = ['config', '--global', '--includes', '--list', '-z']
  const options = { cwd: '/', env: env as NodeJS.ProcessEnv, timeout: 2000 }
  // Empty if there are no settings, or if one of the files is a pipe.
  const { stdout } = await promisify(execFile)(git, args, options).catch(() => ({ stdout: '' }))
  return stdout
    .split('\0')
    .flatMap((line) => {
      const [key = '', value] = line.split('\n', 2)
      const [section, name] = key.split('.', 2)
      if (value === undefined || !GIT_SETTINGS.includes(key)) return []
      return `[${section}]\n\t${name} = "${value.replaceAll(/[\\"]/g, '\\$&')}"\n`
    })
    .join('')
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
