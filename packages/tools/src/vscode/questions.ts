import type { CodePlace, LanguageTopics, LanguageTopic } from '../host/language.ts'
import { readActions, readDiagnostics } from '../lsp/read-diagnostic.ts'
import { readHover } from '../lsp/read-hover.ts'
import { readLocations } from '../lsp/read-location.ts'
import { readCallees, readCallers, readSymbols, readSymbolsAnywhere } from '../lsp/read-symbol.ts'
import { listOf, objectOf, type UntypedObject } from '../lsp/untyped.ts'
import type { Uri, VscodeApi } from './api.ts'

/** A question to the editor about a file. */
export interface Question {
  readonly vscode: Pick<VscodeApi, 'commands' | 'languages' | 'Position' | 'Range'>
  readonly uri: Uri
  readonly place: CodePlace
}

type Ask<Topic extends LanguageTopic> = (question: Question) => Promise<LanguageTopics[Topic]>

/** How to ask the editor about each topic. Its answers are converted to those of the protocol. */
export const questions: { readonly [Topic in LanguageTopic]: Ask<Topic> } = {
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
