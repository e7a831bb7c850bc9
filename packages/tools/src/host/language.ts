/** What language servers know of code. Lines and characters are from 0, characters as UTF-16 units: so servers count. */
export interface Language {
  /** Asks about a file, or a place in it. What fails is a `ToolError` that says what to do. */
  ask<Topic extends LanguageTopic>(
    topic: Topic,
    place: CodePlace,
    options: { readonly signal: AbortSignal },
  ): Promise<LanguageAnswer<LanguageTopics[Topic]>>
  /** Whether asking about a file starts nothing. */
  isRunning(path: string): boolean
  /** Globs for the names of files that the same server knows; of all that can be asked about, if no file is named. */
  globsFor(path?: string): Promise<readonly string[]>
  /** Stops every server. */
  close(): Promise<void>
}

/** What can be asked, and what is answered. */
export interface LanguageTopics {
  readonly definition: readonly CodeLocation[]
  readonly implementation: readonly CodeLocation[]
  readonly references: readonly CodeLocation[]
  /** Markdown; empty where there is nothing to say. */
  readonly hover: string
  /** Those of the file, outer ones before those in them. */
  readonly symbols: readonly CodeSymbol[]
  /** Those of the whole project whose names fit the query. */
  readonly symbolsNamed: readonly CodeSymbol[]
  /** What can be called there. */
  readonly callables: readonly CodeSymbol[]
  readonly callers: readonly CodeCall[]
  readonly callees: readonly CodeCall[]
  readonly diagnostics: readonly CodeDiagnostic[]
  /** What the server would do about the problems of a line. */
  readonly actions: readonly CodeAction[]
}

export type LanguageTopic = keyof LanguageTopics

export interface CodePlace {
  /** A real path. */
  readonly path: string
  /** What the file says now, whatever a server read before. */
  readonly text: string
  /** Where a topic needs it. */
  readonly position?: CodePosition
  readonly query?: string
}

export interface LanguageAnswer<Value> {
  readonly value: Value
  /** Who says so. */
  readonly server: string
  /** It had not read all of the project yet: there may be more. */
  readonly loading?: true
}

export interface CodePosition {
  readonly line: number
  readonly character: number
}

export interface CodeSpan {
  readonly start: CodePosition
  readonly end: CodePosition
}

export interface CodeLocation {
  /** Absolute; it may lead anywhere. */
  readonly path: string
  readonly span: CodeSpan
}

export interface CodeSymbol extends CodeLocation {
  readonly name: string
  /** In words, such as `function`. */
  readonly kind: string
  readonly detail?: string
  /** What it is in. */
  readonly container?: string
  /** In how many others of the list it is. */
  readonly depth?: number
}

/** Who calls, or is called. */
export interface CodeCall {
  readonly symbol: CodeSymbol
  /** The file of the one who calls, and where in it. */
  readonly path: string
  readonly spans: readonly CodeSpan[]
}

export interface CodeDiagnostic {
  readonly severity: 'error' | 'warning' | 'information' | 'hint'
  readonly message: string
  readonly span: CodeSpan
  readonly code?: string
  readonly source?: string
}

export interface CodeAction {
  readonly title: string
  readonly kind?: string
  /** The server thinks it is the right one. */
  readonly preferred: boolean
}
