import { realpath } from 'node:fs/promises'
import type { FileSystemView } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { type Answers, type Ask, type Question, Unanswered, ToolError } from '@toolglot/agent'
import type { Host } from '../host/host.ts'
import { nodeHost, type NodeHostOptions } from '../node/host.ts'
import type { VscodeApi, Choice, PickOptions, Document } from './api.ts'
import { editorLanguage } from './language.ts'
import type { Files, OpenFile } from '../host/files.ts'

export type { VscodeApi } from './api.ts'

/** Options for `vscodeHost`. */
export interface VscodeHostOptions extends Omit<
  NodeHostOptions,
  'cwd' | 'fileSystem' | 'ask' | 'language'
> {
  /** Default: the folders of the open workspace; commands start in the first one. */
  readonly fileSystem?: FileSystemView | undefined
}

/**
 * A host inside VS Code, for an extension that passes its `vscode` module. Commands, search and the
 * web use this machine; unsaved text, questions to the user and code intelligence use the editor.
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
    `The workspace ${remote ? `is not local (${remote.uri.scheme}:)` : 'has no folder'}. Open a local folder first, or pass a fileSystem.`,
  )
}

/** Asks the user questions in the editor, one at a time. Escape means no answer. */
function editorAsk({
  window,
  CancellationTokenSource,
}: Pick<VscodeApi, 'window' | 'CancellationTokenSource'>): Ask {
  return async (questions, signal) => {
    signal.throwIfAborted()
    const source = new CancellationTokenSource()
    const stop = (): void => source.cancel()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const answers: [string, string | readonly string[]][] = []
      for (const question of questions) {
        answers.push([question.question, await ask(question, source.token)])
        signal.throwIfAborted()
      }
      return Object.fromEntries(answers) satisfies Answers
    } catch (error) {
      // Throws if the signal closed the question rather than the user.
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      source.dispose()
    }
  }

  async function ask(
    { question, header, options, multiSelect = false }: Question,
    token: unknown,
  ): Promise<string | readonly string[]> {
    const items = options.map(({ label, description }): Choice => ({ label, detail: description }))
    const other: Choice = { label: 'Something else…', detail: 'Answer in your own words' }
    const shown: PickOptions = { title: header, placeHolder: question, ignoreFocusOut: true }
    const choices = [...items, other]
    const chosen = multiSelect
      ? await window.showQuickPick(choices, { ...shown, canPickMany: true }, token)
      : [await window.showQuickPick(choices, shown, token)]
    const answers: string[] = []
    for (const item of chosen ?? []) {
      if (item === other) answers.push(await write(question, header, token))
      else if (item) answers.push(item.label)
    }
    const [first] = answers
    if (first === undefined) throw new Unanswered()
    return multiSelect ? answers : first
  }

  async function write(prompt: string, title: string, token: unknown): Promise<string> {
    const answer = await window.showInputBox({ title, prompt, ignoreFocusOut: true }, token)
    if (answer === undefined || answer.trim() === '') throw new Unanswered()
    return answer
  }
}

/**
 * Files as the user sees them: reading returns unsaved text in the editor, and a file with unsaved
 * changes can't be replaced.
 */
function editorFiles(files: Files, { workspace }: Pick<VscodeApi, 'workspace'>): Files {
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
        // At this point the path is resolved, and the file has not been replaced yet.
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
