/**
 * The part of the `vscode` module used by the host. Declared here so that users without an editor
 * do not need its types; a test compares them with the real ones.
 */
export interface VscodeApi {
  readonly workspace: {
    readonly workspaceFolders: readonly { readonly uri: Uri }[] | undefined
    readonly textDocuments: readonly Document[]
    openTextDocument(uri: Uri): PromiseLike<Document>
  }
  readonly window: {
    showQuickPick(
      items: readonly Choice[],
      options: PickOptions & { canPickMany: true },
      token: Token,
    ): PromiseLike<readonly Choice[] | undefined>
    showQuickPick(
      items: readonly Choice[],
      options: PickOptions,
      token: Token,
    ): PromiseLike<Choice | undefined>
    showInputBox(
      options: { title: string; prompt: string; ignoreFocusOut: boolean },
      token: Token,
    ): PromiseLike<string | undefined>
  }
  readonly commands: {
    executeCommand(command: string, ...args: readonly unknown[]): PromiseLike<unknown>
  }
  readonly languages: {
    getDiagnostics(uri: Uri): readonly unknown[]
    onDidChangeDiagnostics(listener: (event: { readonly uris: readonly Uri[] }) => void): {
      dispose(): unknown
    }
  }
  readonly Uri: { file(path: string): Uri }
  readonly Position: new (line: number, character: number) => object
  readonly Range: new (line: number, character: number, toLine: number, to: number) => object
  readonly CancellationTokenSource: new () => TokenSource
}

/** A URI of the editor. */
export interface Uri {
  readonly scheme: string
  readonly fsPath: string
  toString(): string
}

/** A document that is open in the editor. */
export interface Document {
  readonly uri: Uri
  readonly isDirty: boolean
  readonly version: number
  getText(): string
}

/** An item of a quick pick. */
export interface Choice {
  label: string
  detail: string
}

/** Options for a quick pick. */
export interface PickOptions {
  title: string
  placeHolder: string
  ignoreFocusOut: boolean
}

/** A cancellation token of the editor, which is only passed on. */
type Token = unknown

interface TokenSource {
  readonly token: Token
  cancel(): void
  dispose(): void
}
