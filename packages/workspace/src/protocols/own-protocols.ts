import { importFile } from '../code/import-file.ts'
import { loadCode } from '../code/load-code.ts'
import type { Settings } from '../settings/merge-settings.ts'
import type { UserDirectories } from '../user-directories.ts'
import type { Workspace } from '../workspace.ts'
import { type OwnProtocol, protocolsIn } from './protocols-in.ts'
import { resolve } from 'node:path'
import { realFile, refuseUntrusted } from '../code/own-file.ts'

export type { OwnProtocol }

/** The protocols in a file that a person names. */
export async function protocolsOfFile(
  path: string,
  workspace: Pick<Workspace, 'folder' | 'directories'>,
): Promise<OwnProtocol[]> {
  const file = trustedFile(path, workspace)
  return protocolsIn(await importFile(file), file)
}

/** The protocols that settings name. */
export async function loadOwnProtocols(
  settings: Pick<Settings, 'protocols'>,
  directories: UserDirectories,
): Promise<OwnProtocol[]> {
  const all: OwnProtocol[] = []
  for (const named of settings.protocols) {
    const { file, exported } = await loadCode(named, directories)
    all.push(...protocolsIn(exported, file))
  }
  return all
}

/** The real path of a file that a person names, if its code may be loaded. */
function trustedFile(
  path: string,
  { folder, directories }: Pick<Workspace, 'folder' | 'directories'>,
): string {
  const file = realFile(resolve(folder, path))
  refuseUntrusted(file, path, directories)
  return file
}
