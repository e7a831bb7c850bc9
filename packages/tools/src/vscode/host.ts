import { nodeFileSystem } from '@toolglot/permissions/node'
import type { Host } from '../host/host.ts'
import { nodeHost, type NodeHostOptions } from '../node/host.ts'
import type { VscodeApi } from './api.ts'
import { editorAsk } from './ask.ts'
import { editorFiles } from './files.ts'
import { editorLanguage } from './language.ts'

export type { VscodeApi } from './api.ts'

export interface VscodeHostOptions extends Omit<
  NodeHostOptions,
  'fileSystem' | 'ask' | 'language'
> {
  /** The folders of the workspace that is open, if not told; the first is where commands start. */
  readonly fileSystem?: NodeHostOptions['fileSystem']
}

/**
 * An editor's window, for an extension that hands over its `vscode` module. Files, commands, search and the web are this machine's;
 * what the person sees and says, and what is known of code, is the editor's.
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
    `Expected a workspace of folders on this machine, got ${remote ? `one of ${remote.uri.scheme}:` : 'none'}. Open a folder first, or give a world.`,
  )
}
