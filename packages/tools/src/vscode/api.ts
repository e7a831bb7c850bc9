/**
 * What is used of the `vscode` module, which is given to the host as it is. These are its shapes, so that whoever uses the host
 * without an editor needs no types of it; a test holds them against the real ones.
 */
export interface VscodeApi {
  readonly workspace: {
    readonly workspaceFolders: readonly { readonly uri: Uri }[] | undefined
    readonly textDocuments: readonly Document[]
  }
  readonly window: {
    showQuickPick(
      items: readonly Pick[],
      options: PickOptions & { canPickMany: true },
      token: Token,
    ): PromiseLike<readonly Pick[] | undefined>
    showQuickPick(
      items: readonly Pick[],
      options: PickOptions,
      token: Token,
    ): PromiseLike<Pick | undefined>
    showInputBox(
      options: { title: string; prompt: string; ignoreFocusOut: boolean },
      token: Token,
    ): PromiseLike<string | undefined>
  }
  readonly CancellationTokenSource: new () => TokenSource
}

export interface Uri {
  readonly scheme: string
  readonly fsPath: string
}

export interface Document {
  readonly uri: Uri
  readonly isDirty: boolean
  readonly version: number
  getText(): string
}

export interface Pick {
  label: string
  detail: string
}

export interface PickOptions {
  title: string
  placeHolder: string
  ignoreFocusOut: boolean
}

/** The editor's own, which is only handed on. */
type Token = unknown

interface TokenSource {
  readonly token: Token
  cancel(): void
  dispose(): void
}
