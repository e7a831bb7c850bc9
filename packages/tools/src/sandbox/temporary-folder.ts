import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { findProgramOnPath } from '../paths/programs.ts'
import type { Environment } from '../process/environment.ts'
import { hasEnded, ownIdentity, type ProcessIdentity } from '../process/process-identity.ts'
import { makePrivateHome } from './home.ts'

/** The folders that commands see as /tmp and as the home folder while a host is open. */
export interface TemporaryFolder {
  readonly folder: string
  readonly home: string
  remove(): Promise<void>
}

/** Creates a temporary folder, and removes those of processes that were killed. */
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
      // It is just being created or removed, or it is not ours. It does no harm.
    }
  }
}

/** Removes a folder, even if folders in it are read-only, as those of Go's modules are. */
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
