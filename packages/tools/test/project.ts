import { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nodeFileSystem } from '@toolglot/permissions/node'
import type { Host } from '../src/host/host.ts'
import { nodeHost, type NodeHostOptions } from '../src/node/host.ts'
import { type ListedProcess, listProcesses } from '../src/process/list-processes.ts'
import { markedProcesses } from '../src/process/process-tree.ts'

/** A folder with files, and a host for it. */
export interface Project {
  readonly host: Host
  readonly root: string
  readonly write: (name: string, text: string) => void
  /** The language server processes that this test file started. */
  readonly servers: () => readonly ListedProcess[]
  readonly close: () => Promise<void>
}

export function createProject(
  files: Readonly<Record<string, string>>,
  options: (root: string) => Partial<NodeHostOptions> = () => ({}),
): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolglot-code-')))
  const [root, storage] = [join(folder, 'work'), join(folder, 'storage')]
  for (const each of [root, storage]) mkdirSync(each)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const fileSystem = nodeFileSystem({ cwd: root })
  const host = nodeHost({ fileSystem, storage: { folder: storage }, ...options(root) })
  return {
    host,
    root,
    write,
    servers: () =>
      markedProcesses('lsp.', listProcesses()).filter(({ pid }) => folderOf(pid) === root),
    async close() {
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // The process has ended.
  }
}
