import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '@toolglot/agent'
import { toLf } from '../file/line-ends.ts'
import type {
  CodePlace,
  Language,
  LanguageTopics,
  LanguageTopic,
  LanguageAnswer,
} from '../host/language.ts'
import { endingOf } from '../lsp/definition.ts'
import { unlessAborted } from '../host/unless-aborted.ts'
import type { Document, Uri, VscodeApi } from './api.ts'
import { questions } from './questions.ts'

/** How long the editor may take to notice a change on disk or to check a file, in milliseconds. */
const TIMEOUT = 3000

/** Code intelligence from the extensions of the editor. */
export function editorLanguage(vscode: VscodeApi): Language {
  const { workspace, languages } = vscode

  return {
    async ask<Topic extends LanguageTopic>(
      topic: Topic,
      place: CodePlace,
      { signal }: { readonly signal: AbortSignal },
    ): Promise<LanguageAnswer<LanguageTopics[Topic]>> {
      const uri = vscode.Uri.file(place.path)
      const inspection =
        topic === 'diagnostics' && !isOpen(place.path) ? awaitInspection(uri) : undefined
      try {
        const document = await unlessAborted(signal, open(uri, place.path))
        const isShown = await waitUntilShown(document, place.text, signal)
        const isInspected = inspection ? await unlessAborted(signal, inspection.over) : true
        const value = await unlessAborted(signal, questions[topic]({ vscode, uri, place }))
        const loading = (!isShown || !isInspected) && { loading: true as const }
        return { value, server: 'the editor', ...loading }
      } finally {
        inspection?.forget()
      }
    },
    // The editor has only one text of a file, so errors before and after a change cannot be compared.
    isRunning: () => false,
    // The editor does not report which files it supports, so use the open ones.
    globsFor: async (path) =>
      path === undefined
        ? [...new Set(workspace.textDocuments.flatMap(({ uri }) => globIn(uri)))]
        : [globFor(path)],
    // Extensions are managed by the editor.
    close: async () => {},
  }

  function isOpen(path: string): boolean {
    return workspace.textDocuments.some(({ uri }) => uri.scheme === 'file' && uri.fsPath === path)
  }

  async function open(uri: Uri, path: string): Promise<Document> {
    try {
      return await workspace.openTextDocument(uri)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new ToolError('execution_failed', `The editor cannot open ${path}: ${why}`, {
        code: 'not_opened',
        path,
      })
    }
  }

  /** Waits for the first diagnostics of a file that is about to be opened, because extensions do not announce them. */
  function awaitInspection(uri: Uri): { readonly over: Promise<boolean>; forget(): void } {
    let forget = (): void => {}
    const over = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), TIMEOUT)
      const listening = languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((each) => each.toString() === uri.toString())) resolve(true)
      })
      forget = () => {
        clearTimeout(timer)
        listening.dispose()
      }
    })
    return { over, forget }
  }
}

function globIn({ scheme, fsPath }: Uri): string[] {
  return scheme === 'file' ? [globFor(fsPath)] : []
}

function globFor(path: string): string {
  const ending = endingOf(path)
  return ending.startsWith('.') ? `*${ending}` : ending
}

/** Waits until the editor has noticed a change on disk. Returns whether it shows the text. */
async function waitUntilShown(
  document: Document,
  text: string,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + TIMEOUT
  const isShown = (): boolean => toLf(document.getText()) === toLf(text)
  while (!isShown() && performance.now() < until) await pause(50, undefined, { signal })
  return isShown()
}
