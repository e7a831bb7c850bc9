import type { Key } from 'node:readline'
import { visibleLine } from '@toolglot/workspace/internal'
import { truncate, displayWidth } from '../../show/text/table.ts'
import type { Screen } from '../../terminal.ts'
import { type Draft, type Edit, edits, EMPTY, insert, moveLine, sanitizePaste } from './draft.ts'
import type { Keys, Press } from './keys.ts'
import { layOut } from './layout.ts'

/** Options for `readDraft`. */
export interface ReadOptions {
  readonly keys: Keys
  readonly screen: Screen
  /** Shown before the first row. */
  readonly prompt: string
  /** The width of the prompt in columns, if it has been measured already. */
  readonly promptWidth?: number
  /** A line below the draft. */
  readonly status?: string
  /** The text to start with. */
  readonly draft?: string
  /** Earlier inputs, the latest last. */
  readonly history?: readonly string[]
  /** Completes the text on Tab; returns undefined if there is no completion. */
  readonly complete?: (text: string) => string | undefined
  /** Disallows line breaks. Pasted ones become spaces. */
  readonly singleLine?: boolean
  readonly signal?: AbortSignal
}

/** `left`: Ctrl-D; `stopped`: Ctrl-C without text, or the signal; `escaped`: Esc without text. */
export type ReadResult =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'left' | 'stopped' | 'escaped' }

/**
 * Lets the user edit text with the usual keys until they submit it or leave. The text stays on the
 * screen.
 */
export function readDraft(options: ReadOptions): Promise<ReadResult> {
  const { keys, screen, prompt, status, history = [], singleLine = false, signal } = options
  const indent = options.promptWidth ?? displayWidth(prompt)
  let draft = insert(EMPTY, sanitizePaste(options.draft ?? ''))
  /** The index of the visible history entry; the index after the last is the new text. */
  let historyIndex = history.length
  let newText = draft.text
  let cursorRow = 0

  function draw({ isLast = false } = {}): void {
    const columns = screen.columns ?? 80
    const height = Math.max(1, ((screen as { rows?: number }).rows ?? 24) - 2)
    const { rows, row, column } = layOut(draft, { indent, columns, height })
    const space = ' '.repeat(indent)
    const lines = rows.map((each, at) => (at === 0 ? prompt : space) + each)
    if (status !== undefined && !isLast) lines.push(truncate(status, columns - 1))
    const up = cursorRow > 0 ? `\x1b[${cursorRow}A` : ''
    const end = isLast ? '\n' : `${moveUp(lines.length - 1 - row)}\r\x1b[${column + 1}G`
    screen.write(`${up}\r\x1b[J${lines.join('\n')}${end}`)
    cursorRow = row
  }

  return new Promise((resolve) => {
    function finish(result: ReadResult): void {
      stop()
      signal?.removeEventListener('abort', aborted)
      screen.off('resize', resized)
      draft = { ...draft, at: draft.text.length }
      draw({ isLast: true })
      resolve(result)
    }
    const aborted = (): void => finish({ type: 'stopped' })
    const resized = (): void => draw()

    function change(next: Draft | undefined): void {
      if (next) draft = next
      draw()
    }

    function recall(by: -1 | 1): void {
      const next = historyIndex + by
      if (next < 0 || next > history.length) return
      if (historyIndex === history.length) newText = draft.text
      historyIndex = next
      change(insert(EMPTY, next === history.length ? newText : sanitizePaste(history[next]!)))
    }

    function submit(): void {
      const continues = !singleLine && draft.at === draft.text.length && draft.text.endsWith('\\')
      if (continues) return change(insert(edits.removeLeft(draft), '\n'))
      finish({ type: 'text', text: draft.text })
    }

    function press(event: Press): void {
      if (event.type === 'paste') {
        const text = sanitizePaste(event.text)
        return change(insert(draft, singleLine ? text.replaceAll('\n', ' ') : text))
      }
      const { key, text } = event
      const keyName = nameOf(key)
      const edit = EDITS[keyName]
      if (edit) return change(edit(draft))
      switch (keyName) {
        case 'return':
          return submit()
        case 'meta-return':
        case 'enter':
          return singleLine ? submit() : change(insert(draft, '\n'))
        case 'up':
        case 'ctrl-p':
          return moveLine(draft, 'up') ? change(moveLine(draft, 'up')) : recall(-1)
        case 'down':
        case 'ctrl-n':
          return moveLine(draft, 'down') ? change(moveLine(draft, 'down')) : recall(1)
        case 'ctrl-d':
          if (draft.text === '') return finish({ type: 'left' })
          return change(edits.removeRight(draft))
        case 'ctrl-c':
          if (draft.text === '') return finish({ type: 'stopped' })
          return change(EMPTY)
        case 'escape':
          return draft.text === '' ? finish({ type: 'escaped' }) : change(EMPTY)
        case 'tab': {
          const completed = options.complete?.(draft.text)
          return completed === undefined
            ? undefined
            : change({ text: completed, at: completed.length })
        }
        case 'ctrl-l':
          screen.write('\x1b[2J\x1b[H')
          cursorRow = 0
          return draw()
        case 'redraw':
          cursorRow = 0
          return draw()
        default:
          if (text === '' || key.ctrl || key.meta || isUnprintable(text)) return
          return change(insert(draft, text))
      }
    }

    const stop = keys.listen(press)
    if (signal?.aborted) return finish({ type: 'stopped' })
    signal?.addEventListener('abort', aborted, { once: true })
    screen.on('resize', resized)
    draw()
  })
}

const EDITS: Partial<Record<string, Edit>> = {
  left: edits.left,
  'ctrl-b': edits.left,
  right: edits.right,
  'ctrl-f': edits.right,
  'meta-b': edits.wordLeft,
  'ctrl-left': edits.wordLeft,
  'meta-left': edits.wordLeft,
  'meta-f': edits.wordRight,
  'ctrl-right': edits.wordRight,
  'meta-right': edits.wordRight,
  home: edits.home,
  'ctrl-a': edits.home,
  end: edits.end,
  'ctrl-e': edits.end,
  backspace: edits.removeLeft,
  'ctrl-h': edits.removeLeft,
  delete: edits.removeRight,
  'ctrl-w': edits.removeWord,
  'meta-backspace': edits.removeWord,
  'ctrl-u': edits.removeToStart,
  'ctrl-k': edits.removeToEnd,
}

function nameOf({ name = '', ctrl, meta }: Key): string {
  if (name === 'escape') return name
  return `${ctrl ? 'ctrl-' : ''}${meta ? 'meta-' : ''}${name}`
}

function moveUp(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : ''
}

/** True for an unassigned key that sends control characters. */
function isUnprintable(text: string): boolean {
  return visibleLine(text) !== text
}
