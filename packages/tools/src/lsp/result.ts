import type { CodeAction, CodeDiagnostic } from '../host/language.ts'

/** The result of the LSP tool, by operation. */
export type LSPResult =
  | (Locations & {
      readonly operation: 'goToDefinition' | 'findReferences' | 'goToImplementation'
    })
  | (Answered & { readonly operation: 'hover'; readonly contents: string })
  | (Symbols & {
      readonly operation: 'documentSymbol' | 'workspaceSymbol' | 'prepareCallHierarchy'
    })
  | (Listed & {
      readonly operation: 'incomingCalls' | 'outgoingCalls'
      readonly calls: readonly FoundCall[]
    })
  | (Diagnostics & { readonly operation: 'diagnostics' })
  | (Diagnostics & {
      readonly operation: 'workspaceDiagnostics'
      /** The number of checked files, and of all files. */
      readonly files: number
      readonly files_total: number
    })
  | (Listed & { readonly operation: 'codeActions'; readonly actions: readonly CodeAction[] })

/** An operation of the LSP tool. */
export type LSPOperation = LSPResult['operation']

/** Fields common to all results. */
export interface Answered {
  readonly server: string
  /** The server was still loading the project. */
  readonly loading?: true
  /** The number of results outside the workspace or in unreadable files. */
  readonly left_out?: number
}

/** Fields common to all lists of results. */
export interface Listed extends Answered {
  /** The number of visible results, including those not shown. */
  readonly total: number
  readonly truncated: boolean
}

interface Locations extends Listed {
  readonly locations: readonly FoundPlace[]
}

interface Symbols extends Listed {
  readonly symbols: readonly FoundSymbol[]
}

interface Diagnostics extends Listed {
  readonly diagnostics: readonly FoundDiagnostic[]
}

/** A location. Lines and characters count from 1; an emoji is one character. */
export interface FoundPlace {
  /** Relative if inside the working folder, otherwise absolute. */
  readonly path: string
  readonly line: number
  readonly character: number
  /** The text of the line. */
  readonly text: string
}

/** A symbol and its location. */
export interface FoundSymbol extends FoundPlace {
  readonly name: string
  readonly kind: string
  readonly detail?: string
  readonly container?: string
  readonly depth?: number
}

/** A caller or callee, and the locations of the calls. */
export interface FoundCall {
  readonly symbol: FoundSymbol
  /** The locations of the calls. */
  readonly places: readonly FoundPlace[]
}

/** A diagnostic and its location. */
export interface FoundDiagnostic
  extends FoundPlace, Pick<CodeDiagnostic, 'severity' | 'message' | 'code' | 'source'> {}

/** The text of a result for the model. */
export function showResult(result: LSPResult, at: string): string {
  const lines = linesOf(result)
  return [...(lines.length > 0 ? lines : [nothingFound(result, at)]), ...notesOn(result)].join('\n')
}

function linesOf(result: LSPResult): string[] {
  switch (result.operation) {
    case 'goToDefinition':
    case 'findReferences':
    case 'goToImplementation':
      return result.locations.map(showPlace)
    case 'hover':
      return result.contents === '' ? [] : [result.contents]
    case 'documentSymbol':
      return result.symbols.map(showOutline)
    case 'workspaceSymbol':
    case 'prepareCallHierarchy':
      return result.symbols.map(showSymbol)
    case 'incomingCalls':
    case 'outgoingCalls':
      return result.calls.flatMap(showCall)
    case 'diagnostics':
    case 'workspaceDiagnostics':
      return result.diagnostics.map(showDiagnostic)
    case 'codeActions':
      return result.actions.map(
        ({ title, kind, preferred }) =>
          `${title}${kind ? ` (${kind}${preferred ? ', preferred' : ''})` : ''}`,
      )
  }
}

/** `src/a.ts:1:17: export function twice(n: number)` */
function showPlace({ path, line, character, text }: FoundPlace): string {
  return `${path}:${line}:${character}${text === '' ? '' : `: ${text}`}`
}

function showOutline(symbol: FoundSymbol): string {
  const { name, kind, line, character, depth = 0, detail } = symbol
  return `${'  '.repeat(depth)}${kind} ${name}${detail ? ` ${detail}` : ''} ${line}:${character}`
}

function showSymbol(symbol: FoundSymbol): string {
  const { name, kind, container } = symbol
  return `${kind} ${name}${container ? ` in ${container}` : ''}, ${showPlace(symbol)}`
}

function showCall({ symbol, places }: FoundCall): string[] {
  return [showSymbol(symbol), ...places.map((place) => `  called at ${showPlace(place)}`)]
}

/** `src/b.ts:2:36: error 2322: Type 'number' is not assignable to type 'string'.` */
export function showDiagnostic(diagnostic: FoundDiagnostic): string {
  const { path, line, character, severity, code, message } = diagnostic
  return `${path}:${line}:${character}: ${severity}${code ? ` ${code}` : ''}: ${message}`
}

const NOTHING: Readonly<Record<LSPOperation, string>> = {
  goToDefinition: 'No definition found',
  findReferences: 'No references found',
  hover: 'No information',
  documentSymbol: 'There are no symbols',
  workspaceSymbol: 'No symbol matches',
  goToImplementation: 'No implementation found',
  prepareCallHierarchy: 'Nothing callable found',
  incomingCalls: 'No callers found',
  outgoingCalls: 'No calls found',
  diagnostics: 'No problems',
  workspaceDiagnostics: 'No errors or warnings',
  codeActions: 'No code actions',
}

function nothingFound({ operation }: LSPResult, at: string): string {
  return `${NOTHING[operation]}${at}.`
}

function notesOn(result: LSPResult): string[] {
  const { server, loading, left_out = 0 } = result
  const notes: string[] = []
  if ('truncated' in result && result.truncated) {
    const shown = shownCount(result)
    notes.push(`(Showing ${shown} of ${result.total}.)`)
  }
  if (result.operation === 'workspaceDiagnostics' && result.files < result.files_total)
    notes.push(`(${result.files} of ${result.files_total} files were checked.)`)
  if (left_out > 0)
    notes.push(
      `(${left_out} ${left_out === 1 ? 'is' : 'are'} left out: outside the workspace, or not readable.)`,
    )
  if (loading)
    notes.push(`(${server} is still loading the project: there may be more. Ask again later.)`)
  return notes
}

function shownCount(result: LSPResult): number {
  if ('locations' in result) return result.locations.length
  if ('symbols' in result) return result.symbols.length
  if ('calls' in result) return result.calls.length
  if ('diagnostics' in result) return result.diagnostics.length
  return 'actions' in result ? result.actions.length : 1
}
