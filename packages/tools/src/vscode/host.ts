import type { FileSystemView } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import type { Host } from '../host/host.ts'
import { nodeHost, type NodeHostOptions } from '../node/host.ts'
import type { VscodeApi } from './api.ts'
import { editorAsk } from './ask.ts'
import { editorFiles } from './files.ts'
import { editorLanguage } from './language.ts'

export type { VscodeApi } from './api.ts'

/** Options of `vscodeHost`. */
export interface VscodeHostOptions extends Omit<
  NodeHostOptions,
  'cwd' | 'fileSystem' | 'ask' | 'language'
> {
  /** Default: the folders of the open workspace; commands start in the first one. */
  readonly fileSystem?: FileSystemView
}

/**
 * A host inside VS Code, for an extension that passes its `vscode` module. Commands, search and the web are those of this
 * machine; unsaved text, questions to the user and code intelligence come from the editor.
 */
export function vscodeHost(vscode: VscodeApi, options: VscodeHostOptions): Host {
  const fileSystem = options.fileSystem ?? nodeFileSystem(foldersOf(vscode))
  const host = nodeHost({ ...options, fileSystem, ask: editorAsk(vscode) })
  return { ...host, files: editorFiles(host.files, vscode), language: editorLanguage(vscode) }
}

function foldersOf({ workspace }: VscodeApi): { cwd: string; roots: readonly string[] } {
  const folders = workspace.workspaceFolders ?? []
  const [cwd] = folders.map(({ uri }) => uri.fsPath)
  const remote = folders.find(({ uri }) => uri.scheme !== 'file')
  if (cwd !== undefined && !remote) return { cwd, roots: folders.map(({ uri }) => uri.fsPath) }
  throw new TypeError(
    `Expected a workspace of local folders, got ${remote ? `one with ${remote.uri.scheme}:` : 'none'}. Open a folder first, or pass a fileSystem.`,
  )
}
