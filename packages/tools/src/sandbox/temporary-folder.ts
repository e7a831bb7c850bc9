import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/internal'
import { hasEnded, ownIdentity, type ProcessIdentity } from '../process/process-identity.ts'

/** A folder that commands have as their /tmp, for as long as a host is open. */
export interface Temporary {
  readonly folder: string
  remove(): Promise<void>
}

/** Makes one, and removes those of processes that were killed. */
export async function makeTemporary(storage: string): Promise<Temporary> {
  makeFolder(storage)
  await sweep(storage)
  const around = await mkdtemp(join(storage, START))
  const folder = join(around, 'files')
  await writeFile(join(around, OWNER), JSON.stringify(ownIdentity()))
  await mkdir(folder, { mode: 0o700 })
  return { folder, remove: () => rm(around, { recursive: true, force: true }) }
}

const START = 'tmp-'
const OWNER = 'owner.json'

async function sweep(storage: string): Promise<void> {
  for (const name of await readdir(storage)) {
    if (!name.startsWith(START)) continue
    try {
      const owner = JSON.parse(
        await readFile(join(storage, name, OWNER), 'utf8'),
      ) as ProcessIdentity
      if (hasEnded(owner)) await rm(join(storage, name), { recursive: true, force: true })
    } catch {
      // It is being made or removed just now, or it is not ours: it is in nobody's way.
    }
  }
}
