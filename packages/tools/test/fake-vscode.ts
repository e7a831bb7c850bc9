import { readFileSync, writeFileSync } from 'node:fs'
import type { Answers } from '@toolglot/agent'
import type { Language } from '../src/host/language.ts'
import type { Choice, Document } from '../src/vscode/api.ts'
import { fakeProviders, FakePosition, FakeRange, FakeUri } from './fake-providers.ts'

/** A fake `vscode` module on real folders, with only the parts used by the host. */
export interface FakeVscode {
  readonly module: typeof import('vscode')
  /** Opens a file in the editor. */
  open(path: string): FakeDocument
  /** The number of visible questions. */
  shown(): number
}

export interface FakeDocument extends Document {
  type(text: string): void
  save(): void
}

export interface FakeVscodeOptions {
  /**
   * The user's answers by question. Other questions get Escape, or no reaction if the user is
   * `away`.
   */
  readonly answers?: Answers
  readonly away?: boolean
  /** The implementation of the language extensions. */
  readonly language?: Language
}

export function fakeVscode(
  folders: readonly string[],
  { answers = {}, away = false, language }: FakeVscodeOptions = {},
): FakeVscode {
  const textDocuments: FakeDocument[] = []
  const { window, shown } = fakeWindow(answers, away)
  const providers = language && fakeProviders(language, (path) => open(path).getText())
  const problems = new Map<string, readonly unknown[]>()
  const listeners = new Set<(event: { uris: FakeUri[] }) => void>()

  function open(path: string): FakeDocument {
    const known = textDocuments.find(({ uri }) => uri.fsPath === path)
    if (known) return known
    let text = readFileSync(path, 'utf8')
    const document = {
      uri: new FakeUri(path),
      isDirty: false,
      version: 1,
      // An unmodified document is reloaded when the file changes on disk.
      getText: () => (document.isDirty ? text : readFileSync(path, 'utf8')),
      type(more: string) {
        text = more
        document.version++
        document.isDirty = true
      },
      save() {
        writeFileSync(path, text)
        document.isDirty = false
      },
    }
    textDocuments.push(document)
    return document
  }

  async function look(uri: FakeUri): Promise<void> {
    problems.set(uri.fsPath, (await providers?.diagnose(uri)) ?? [])
    for (const listener of listeners) listener({ uris: [uri] })
  }

  const module = {
    workspace: {
      workspaceFolders: folders.map((path) => ({ uri: new FakeUri(path) })),
      textDocuments,
      async openTextDocument(uri: FakeUri) {
        const document = open(uri.fsPath)
        // The folder may be closed before this finishes.
        if (providers) look(uri).catch(() => {})
        return document
      },
    },
    window,
    commands: {
      executeCommand: async (command: string, ...args: never[]) =>
        providers?.commands[command]?.(...args),
    },
    languages: {
      getDiagnostics: ({ fsPath }: FakeUri) => problems.get(fsPath) ?? [],
      onDidChangeDiagnostics(listener: (event: { uris: FakeUri[] }) => void) {
        listeners.add(listener)
        return { dispose: () => listeners.delete(listener) }
      },
    },
    Uri: FakeUri,
    Position: FakePosition,
    Range: FakeRange,
    CancellationTokenSource: FakeTokenSource,
  }
  return { module: module as unknown as typeof import('vscode'), shown, open }
}

class FakeTokenSource {
  readonly token = { cancelled: [] as (() => void)[] }
  cancel(): void {
    for (const each of this.token.cancelled) each()
  }
  dispose(): void {}
}

type Token = FakeTokenSource['token']

function fakeWindow(answers: Answers, away: boolean) {
  let shown = 0
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
      items: readonly Choice[],
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
  return { window, shown: () => shown }
}
