import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ToolContext } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import { onTestFinished } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'

/** Creates a real folder with these files, each a second older than the previous one. Removed after the test. */
export function tree(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = folderOf()
  onTestFinished(() => chmodSync(folder, 0o700))
  grow(folder, files)
  return folder
}

/** Adds files to a folder. */
export function grow(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  const now = Date.now() / 1000
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, now - index, now - index)
  }
}

/** A view of the file system with a folder as working directory and workspace. */
export function fileSystemAt(cwd: string): FileSystemView {
  return {
    cwd,
    home: cwd,
    roots: [cwd],
    platform: 'linux',
    caseSensitive: true,
    follow: (path) => [path],
  }
}

/** The context for calling a tool; `notes` collects its progress. */
export function contextOf(
  options: Partial<Omit<ToolContext, 'progress'>> = {},
): ToolContext & { readonly notes: string[] } {
  const notes: string[] = []
  return {
    signal: new AbortController().signal,
    call: 'call-1',
    ...options,
    notes,
    progress: (update) => notes.push('text' in update ? update.text : JSON.stringify(update.todos)),
  }
}
