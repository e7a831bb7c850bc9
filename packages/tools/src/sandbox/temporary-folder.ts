import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/internal'
import { hasEnded, ownIdentity, type ProcessIdentity } from '../process/process-identity.ts'

/** A folder that commands have as their /tmp, for as long as a host is open. */
export interface TemporaryFolder {
  readonly folder: string
  remove(): Promise<void>
}

/** Makes one, and removes those of processes that were killed. */
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
      // It is being made or removed just now, or it is not ours: it is in nobody's way.
    }
  }
}
