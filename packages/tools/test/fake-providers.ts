import { pathToFileURL } from 'node:url'
import type {
  CodeCall,
  CodeDiagnostic,
  CodeLocation,
  CodePosition,
  CodeSpan,
  CodeSymbol,
  Language,
  LanguageTopics,
  LanguageTopic,
} from '../src/host/language.ts'

/** A URI class with getters, as in the editor. */
export class FakeUri {
  readonly scheme = 'file'
  readonly fsPath: string
  constructor(fsPath: string) {
    this.fsPath = fsPath
  }
  static file(path: string): FakeUri {
    return new FakeUri(path)
  }
  toString(): string {
    return pathToFileURL(this.fsPath).href
  }
}

export class FakePosition implements CodePosition {
  readonly #at: readonly [line: number, character: number]
  constructor(line: number, character: number) {
    this.#at = [line, character]
  }
  get line(): number {
    return this.#at[0]
  }
  get character(): number {
    return this.#at[1]
  }
}

export class FakeRange implements CodeSpan {
  readonly #ends: readonly [start: FakePosition, end: FakePosition]
  constructor(line: number, character: number, toLine: number, to: number) {
    this.#ends = [new FakePosition(line, character), new FakePosition(toLine, to)]
  }
  get start(): FakePosition {
    return this.#ends[0]
  }
  get end(): FakePosition {
    return this.#ends[1]
  }
}

const KINDS = { class: 4, method: 5, interface: 10, function: 11, variable: 12, constant: 13 }
const SEVERITIES = ['error', 'warning', 'information', 'hint']

/**
 * Fake language extensions: a real language server, with its answers converted to the editor's
 * format.
 */
export function fakeProviders(language: Language, textOf: (path: string) => string) {
  const ask = async <Topic extends LanguageTopic>(
    topic: Topic,
    { fsPath: path }: FakeUri,
    at?: CodePosition,
    query = '',
  ): Promise<LanguageTopics[Topic]> => {
    const position = at && { line: at.line, character: at.character }
    const place = { path, text: textOf(path), query, ...(position && { position }) }
    const { signal } = new AbortController()
    return (await language.ask(topic, place, { signal })).value
  }
  const commands: Readonly<Record<string, (...args: never[]) => Promise<unknown[]>>> = {
    'vscode.executeDefinitionProvider': async (uri: FakeUri, at: CodePosition) =>
      (await ask('definition', uri, at)).map(link),
    'vscode.executeImplementationProvider': async (uri: FakeUri, at: CodePosition) =>
      (await ask('implementation', uri, at)).map(location),
    'vscode.executeReferenceProvider': async (uri: FakeUri, at: CodePosition) =>
      (await ask('references', uri, at)).map(location),
    'vscode.executeHoverProvider': async (uri: FakeUri, at: CodePosition) => [
      { contents: [{ value: await ask('hover', uri, at), isTrusted: false }] },
    ],
    'vscode.executeDocumentSymbolProvider': async (uri: FakeUri) =>
      (await ask('symbols', uri)).map(information),
    'vscode.prepareCallHierarchy': async (uri: FakeUri, at: CodePosition) =>
      (await ask('callables', uri, at)).map(item),
    'vscode.provideIncomingCalls': async ({ uri, selectionRange: { start } }: Item) =>
      (await ask('callers', uri, start)).map((call) => ({ from: item(call.symbol), ...of(call) })),
    'vscode.provideOutgoingCalls': async ({ uri, selectionRange: { start } }: Item) =>
      (await ask('callees', uri, start)).map((call) => ({ to: item(call.symbol), ...of(call) })),
    'vscode.executeCodeActionProvider': async (uri: FakeUri, { start }: CodeSpan) =>
      (await ask('actions', uri, start)).map(({ title, kind, preferred }) => ({
        title,
        kind: kind && { value: kind },
        isPreferred: preferred,
      })),
  }
  return {
    commands,
    diagnose: async (uri: FakeUri) => (await ask('diagnostics', uri)).map(problem),
  }
}

type Item = ReturnType<typeof item>

const range = ({ start, end }: CodeSpan): FakeRange =>
  new FakeRange(start.line, start.character, end.line, end.character)

const location = ({ path, span }: CodeLocation) => ({ uri: new FakeUri(path), range: range(span) })

const link = ({ path, span }: CodeLocation) => ({
  targetUri: new FakeUri(path),
  targetRange: new FakeRange(0, 0, span.end.line, span.end.character),
  targetSelectionRange: range(span),
})

const named = ({ name, kind, detail = '' }: CodeSymbol) => ({
  name,
  kind: KINDS[kind as keyof typeof KINDS],
  detail,
})

const information = (symbol: CodeSymbol) => ({
  ...named(symbol),
  containerName: symbol.container ?? '',
  location: location(symbol),
})

const item = (symbol: CodeSymbol) => ({
  ...named(symbol),
  uri: new FakeUri(symbol.path),
  range: range(symbol.span),
  selectionRange: range(symbol.span),
})

const of = ({ spans }: CodeCall) => ({ fromRanges: spans.map(range) })

const problem = ({ severity, message, span, code, source }: CodeDiagnostic) => ({
  severity: SEVERITIES.indexOf(severity),
  message,
  range: range(span),
  code: { value: code, target: new FakeUri('/docs') },
  source,
})
