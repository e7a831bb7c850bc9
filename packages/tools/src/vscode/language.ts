// Folder: The host for VS Code.
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '@toolglot/agent'
import { unlessAborted } from '@toolglot/agent/internal'
import { toLf } from '../file/text-file.ts'
import type { CodePlace, Language, LanguageTopics, LanguageTopic } from '../host/language.ts'
import { endingOf } from '../lsp/servers.ts'
import type { Document, Uri, VscodeApi } from './api.ts'
import {
  readActions,
  readDiagnostics,
  readHover,
  readLocations,
  readCallees,
  readCallers,
  readSymbols,
  readSymbolsAnywhere,
  listOf,
  objectOf,
  type UntypedObject,
} from '../lsp/read-answers.ts'

/** The time limit for the editor to notice a change on disk or to check a file, in milliseconds. */
const TIMEOUT = 3000

/** Code intelligence from the extensions of the editor. */
export function editorLanguage(vscode: VscodeApi): Language {
  const { workspace, languages } = vscode

  return {
    ask: async (topic, place, { signal }) => {
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
    // The editor has only one text per file, so errors before and after a change cannot be
    // compared.
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

/** Waits until the editor has noticed a change on disk. Resolves with true if it shows the text. */
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

/** A query to the editor about a file. */
interface Question {
  readonly vscode: Pick<VscodeApi, 'commands' | 'languages' | 'Position' | 'Range'>
  readonly uri: Uri
  readonly place: CodePlace
}

type Ask<Topic extends LanguageTopic> = (question: Question) => Promise<LanguageTopics[Topic]>

/** The editor's commands for each topic. Their answers are converted to the protocol's format. */
const questions: { readonly [Topic in LanguageTopic]: Ask<Topic> } = {
  definition: async (question) =>
    readLocations(await places('executeDefinitionProvider', question)),
  implementation: async (question) =>
    readLocations(await places('executeImplementationProvider', question)),
  references: async (question) => readLocations(await places('executeReferenceProvider', question)),
  hover: async (question) => {
    const hovers = await at('executeHoverProvider', question)
    return readHover({ contents: hovers.flatMap((hover) => listOf(objectOf(hover)['contents'])) })
  },
  symbols: async ({ vscode, uri, place }) => {
    const found = await ask(vscode, 'executeDocumentSymbolProvider', uri)
    return readSymbols(found.map(toSymbol), place.path)
  },
  symbolsNamed: async ({ vscode, place: { query = '' } }) =>
    readSymbolsAnywhere((await ask(vscode, 'executeWorkspaceSymbolProvider', query)).map(toSymbol)),
  callables: async (question) =>
    readSymbolsAnywhere((await at('prepareCallHierarchy', question)).map(toSymbol)),
  callers: async (question) => readCallers(await calls('provideIncomingCalls', question)),
  callees: async (question) =>
    readCallees(await calls('provideOutgoingCalls', question), question.place.path),
  diagnostics: async ({ vscode: { languages }, uri }) =>
    readDiagnostics(languages.getDiagnostics(uri).map(toDiagnostic)),
  actions: async ({ vscode, uri, place: { position, text } }) => {
    const line = position?.line ?? 0
    const length = text.split('\n')[line]?.length ?? 0
    const range = new vscode.Range(line, 0, line, length)
    return readActions((await ask(vscode, 'executeCodeActionProvider', uri, range)).map(toAction))
  },
}

async function ask(
  { commands }: Pick<VscodeApi, 'commands'>,
  command: string,
  ...args: readonly unknown[]
): Promise<readonly unknown[]> {
  return listOf(await commands.executeCommand(`vscode.${command}`, ...args))
}

function at(command: string, { vscode, uri, place }: Question): Promise<readonly unknown[]> {
  const { line = 0, character = 0 } = place.position ?? {}
  return ask(vscode, command, uri, new vscode.Position(line, character))
}

async function places(command: string, question: Question): Promise<unknown[]> {
  return (await at(command, question)).map(toLocation)
}

/** Overloads are several items with one name. */
const MAX_ITEMS = 8

async function calls(command: string, question: Question): Promise<unknown[]> {
  const found: unknown[] = []
  for (const item of (await at('prepareCallHierarchy', question)).slice(0, MAX_ITEMS))
    found.push(...(await ask(question.vscode, command, item)))
  return found.map(toCall)
}

// Converts answers of the editor to those of the protocol: the editor represents URIs as objects, counts kinds and
// severities from 0, and wraps some names.

/** Converts a location or a location link. */
function toLocation(value: unknown): UntypedObject {
  const { uri, range, targetUri, targetRange, targetSelectionRange } = objectOf(value)
  return { uri: addressOf(targetUri ?? uri), range: targetSelectionRange ?? targetRange ?? range }
}

/** Converts a symbol with its children. */
function toSymbol(value: unknown): UntypedObject {
  const { name, kind, detail, containerName, uri, range, selectionRange } = objectOf(value)
  const { location: place, children } = objectOf(value)
  return {
    name,
    kind: Number(kind) + 1,
    detail,
    containerName,
    range,
    selectionRange,
    uri: addressOf(uri),
    location: place === undefined ? undefined : toLocation(place),
    children: listOf(children).map(toSymbol),
  }
}

/** Converts an incoming or outgoing call. */
function toCall(value: unknown): UntypedObject {
  const { from, to, fromRanges } = objectOf(value)
  return { from: toSymbol(from), to: toSymbol(to), fromRanges }
}

/** Converts a diagnostic. */
function toDiagnostic(value: unknown): UntypedObject {
  const { severity, message, range, code, source } = objectOf(value)
  return {
    severity: Number(severity) + 1,
    message,
    range,
    code: objectOf(code)['value'] ?? code,
    source,
  }
}

/** Converts a code action. */
function toAction(value: unknown): UntypedObject {
  const { title, kind, isPreferred, disabled } = objectOf(value)
  return { title, kind: objectOf(kind)['value'], isPreferred, disabled }
}

function addressOf(uri: unknown): string | undefined {
  return (uri as Uri | undefined)?.toString()
}
