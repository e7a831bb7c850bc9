import { readFileSync, writeFileSync } from 'node:fs'
import type { Answers } from '@toolglot/agent'
import type { Document, Pick } from '../vscode/api.ts'

/** A fake of the editor's module, over real folders: no editor runs. It has what the host uses, and nothing else. */
export interface FakeVscode {
  readonly module: typeof import('vscode')
  /** Opens a file in the editor. */
  open(path: string): FakeDocument
  /** How many questions are on the screen. */
  shown(): number
}

export interface FakeDocument {
  type(text: string): void
  save(): void
}

/** The person at it gives these answers, by the question; to others they press Escape, or do nothing if they are `away`. */
export function fakeVscode(
  folders: readonly string[],
  { answers = {}, away = false }: { answers?: Answers; away?: boolean } = {},
): FakeVscode {
  const textDocuments: Document[] = []
  let shown = 0

  class CancellationTokenSource {
    readonly token = { cancelled: [] as (() => void)[] }
    cancel(): void {
      for (const each of this.token.cancelled) each()
    }
    dispose(): void {}
  }

  type Token = CancellationTokenSource['token']
  let typed: string[] = []

  function show<Result>(answer: Result | undefined, token: Token): Promise<Result | undefined> {
    if (answer !== undefined || !away) return Promise.resolve(answer)
    shown++
    return new Promise((resolve) =>
      token.cancelled.push(() => {
        shown--
        resolve(undefined)
      }),
    )
  }

  const window = {
    showQuickPick(
      items: readonly Pick[],
      { placeHolder, canPickMany }: { placeHolder: string; canPickMany?: boolean },
      token: Token,
    ) {
      const answer = answers[placeHolder]
      if (answer === undefined) return show(undefined, token)
      const labels = [answer].flat()
      const chosen = items.filter(({ label }) => labels.includes(label))
      typed = labels.filter((label) => !items.some((item) => item.label === label))
      if (typed.length > 0) chosen.push(items.at(-1)!)
      return show(canPickMany ? chosen : chosen[0], token)
    },
    showInputBox: (_options: object, token: Token) => show(typed.shift(), token),
  }

  const uri = (path: string): Document['uri'] => ({ scheme: 'file', fsPath: path })
  const module = {
    workspace: { workspaceFolders: folders.map((path) => ({ uri: uri(path) })), textDocuments },
    window,
    CancellationTokenSource,
  }
  return {
    module: module as unknown as typeof import('vscode'),
    shown: () => shown,
    open(path) {
      let text = readFileSync(path, 'utf8')
      const document = { uri: uri(path), isDirty: false, version: 1, getText: () => text }
      textDocuments.push(document)
      return {
        type(more) {
          text = more
          document.version++
          document.isDirty = true
        },
        save() {
          writeFileSync(path, text)
          document.isDirty = false
        },
      }
    },
  }
}
