import type { CodePlace, LanguageTopics, LanguageTopic } from '../host/language.ts'
import { readActions, readDiagnostics } from '../lsp/read-diagnostic.ts'
import { readHover } from '../lsp/read-hover.ts'
import { readLocations } from '../lsp/read-location.ts'
import { readCallees, readCallers, readSymbols, readSymbolsAnywhere } from '../lsp/read-symbol.ts'
import { listOf, objectOf } from '../lsp/untyped.ts'
import type { Uri, VscodeApi } from './api.ts'
import { toAction, toCall, toDiagnostic, toLocation, toSymbol } from './to-protocol.ts'

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
