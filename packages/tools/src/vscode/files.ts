import { realpath } from 'node:fs/promises'
import { ToolError } from '@toolglot/agent'
import type { Files, OpenFile } from '../host/files.ts'
import type { Document, VscodeApi } from './api.ts'

/**
 * Files as the person sees them: where the editor holds text that is not saved, that is what is read, and the file is not
 * replaced behind its back.
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
        // By then it is known where the path leads, and nothing has taken its place yet.
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
      `${path} has changes in the editor that are not saved; nothing was written. Ask the person to save or discard them, then read it again.`,
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
    // Each version is another file than the one on the disk.
    facts: { ...facts, id: `${facts.id} unsaved ${document.version}`, size: bytes.length },
    async *read({ start = 0, end = bytes.length } = {}) {
      if (start < Math.min(end, bytes.length)) yield bytes.subarray(start, end)
    },
  }
}
