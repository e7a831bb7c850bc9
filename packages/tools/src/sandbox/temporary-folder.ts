import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { hasEnded, ownIdentity, type ProcessIdentity } from '../process/process-identity.ts'

/** The folder that commands see as /tmp while a host is open. */
export interface TemporaryFolder {
  readonly folder: string
  remove(): Promise<void>
}

/** Creates a temporary folder, and removes those of processes that were killed. */
export async function makeTemporaryFolder(storage: string): Promise<TemporaryFolder> {
  makeFolder(storage)
  await removeLeftovers(storage)
  const around = await mkdtemp(join(storage, PREFIX))
  const folder = join(around, 'files')
  await writeFile(join(around, OWNER_FILE), JSON.stringify(ownIdentity()))
  await mkdir(folder, { mode: 0o700 })
  return { folder, remove: () => rm(around, { recursive: true, force: true }) }
}

const PREFIX = 'tmp-'
const OWNER_FILE = 'owner.json'

async function removeLeftovers(storage: string): Promise<void> {
  for (const name of await readdir(storage)) {
    if (!name.startsWith(PREFIX)) continue
    try {
      const owner = JSON.parse(
        await readFile(join(storage, name, OWNER_FILE), 'utf8'),
      ) as ProcessIdentity
      if (hasEnded(owner)) await rm(join(storage, name), { recursive: true, force: true })
    } catch {
      // It is just being created or removed, or it is not ours. It does no harm.
    }
  }
}
