import { realpath } from 'node:fs/promises'
import { ToolError } from '@toolglot/agent'
import type { Files, OpenFile } from '../host/files.ts'
import type { Document, VscodeApi } from './api.ts'

/**
 * Files as the user sees them: unsaved text in the editor is what is read, and a file with unsaved changes is not
 * replaced.
 */
export function editorFiles(files: Files, { workspace }: Pick<VscodeApi, 'workspace'>): Files {
  return {
    ...files,
    async open(path, allowed) {
      const file = await files.open(path, allowed)
      const document = await unsavedAt(file.facts.path)
      return document ? withUnsavedText(file, document) : file
    },
    replace: (path, bytes, options) =>
      files.replace(path, bytes, {
        ...options,
        // By now the path is resolved, and nothing has been replaced yet.
        beforeReplace: async (place) => {
          await assertSaved(place.path)
          await options.beforeReplace?.(place)
          await assertSaved(place.path)
        },
      }),
    async remove(path, options) {
      await assertSaved(options.before.path)
      await files.remove(path, options)
    },
  }

  async function unsavedAt(path: string): Promise<Document | undefined> {
    for (const document of workspace.textDocuments) {
      const { isDirty, uri } = document
      if (isDirty && uri.scheme === 'file' && (await realPath(uri.fsPath)) === path) return document
    }
    return undefined
  }

  async function assertSaved(path: string): Promise<void> {
    if (!(await unsavedAt(path))) return
    throw new ToolError(
      'execution_failed',
      `${path} has unsaved changes in the editor; nothing was written. Ask the user to save or discard them, then read it again.`,
      { code: 'unsaved', path },
    )
  }
}

async function realPath(path: string): Promise<string> {
  // The file may have been removed since it was opened.
  return realpath(path).catch(() => path)
}

function withUnsavedText(file: OpenFile, document: Document): OpenFile {
  const bytes = Buffer.from(document.getText())
  const { facts } = file
  return {
    ...file,
    // Each unsaved version has its own identity.
    facts: { ...facts, id: `${facts.id} unsaved ${document.version}`, size: bytes.length },
    async *read({ start = 0, end = bytes.length } = {}) {
      if (start < Math.min(end, bytes.length)) yield bytes.subarray(start, end)
    },
  }
}
