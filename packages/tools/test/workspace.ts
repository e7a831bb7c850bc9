import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolContext } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { FileHost } from '../src/edit/change-file.ts'
import { nodeFiles } from '../src/node/files/files.ts'
import { type FileSystemCalls, nodeFileSystemCalls } from '../src/node/files/file-system-calls.ts'

/** A real folder as the workspace, and another one outside it. */
export interface Workspace {
  readonly root: string
  readonly outside: string
  readonly host: FileHost
  path(name: string): string
  remove(): void
}

/** Creates a workspace with a host for its files. */
export async function createWorkspace(
  system: FileSystemCalls = nodeFileSystemCalls,
): Promise<Workspace> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolglot-files-')))
  const [root, outside, storage] = ['root', 'outside', 'storage'].map((name) => join(folder, name))
  for (const each of [root!, outside!, storage!]) await mkdir(each)
  const fileSystem: FileSystemView = {
    cwd: root!,
    home: outside!,
    roots: [root!],
    platform: 'linux',
    caseSensitive: true,
    follow: () => undefined,
  }
  return {
    root: root!,
    outside: outside!,
    host: { fileSystem, files: nodeFiles(fileSystem, system), storage: { folder: storage! } },
    path: (name) => join(root!, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The context for calling a tool. */
export function contextOf(more: Partial<ToolContext> = {}): ToolContext {
  return { signal: new AbortController().signal, call: 'call', progress: () => {}, ...more }
}
