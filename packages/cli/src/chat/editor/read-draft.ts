import type { Key } from 'node:readline'
import { visibleLine } from '@toolglot/workspace/internal'
import { cut, width } from '../../show/width.ts'
import type { Screen } from '../../terminal.ts'
import { type Draft, type Edit, edits, EMPTY, insert, moveLine, pasted } from './draft.ts'
import type { Keys, Press } from './keys.ts'
import { layOut } from './layout.ts'

export interface ReadOptions {
  readonly keys: Keys
  readonly screen: Screen
  /** Before the first row; `size` is how wide it is where it has colours. */
  readonly prompt: string
  readonly size?: number
  /** A line below. */
  readonly status?: string
  /** What is there to begin with. */
  readonly draft?: string
  /** What was written before, the last one last. */
  readonly history?: readonly string[]
  /** What a beginning may become. */
  readonly complete?: (text: string) => string | undefined
  /** One line only: what is pasted is made one. */
  readonly single?: boolean
  readonly signal?: AbortSignal
}

/** `left`: Ctrl-D; `stopped`: Esc or Ctrl-C on nothing, or the signal. */
export type ReadResult =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'left' | 'stopped' | 'escaped' }

/** Lets a person write, with the usual keys, until they are done. What they wrote stays on the screen. */
export function readDraft(options: ReadOptions): Promise<ReadResult> {
  const { keys, screen, prompt, status, history = [], single = false, signal } = options
  const indent = options.size ?? width(prompt)
  let draft = insert(EMPTY, pasted(options.draft ?? ''))
  /** Which of the former ones is shown; the one behind the last is the new one. */
  let shown = history.length
  let fresh = draft.text
  let cursorRow = 0

  function draw({ isLast = false } = {}): void {
    const columns = screen.columns ?? 80
    const height = Math.max(1, ((screen as { rows?: number }).rows ?? 24) - 2)
    const { rows, row, column } = layOut(draft, { indent, columns, height })
    const space = ' '.repeat(indent)
    const lines = rows.map((each, at) => (at === 0 ? prompt : space) + each)
    if (status !== undefined && !isLast) lines.push(cut(status, columns - 1))
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
      const next = shown + by
      if (next < 0 || next > history.length) return
      if (shown === history.length) fresh = draft.text
      shown = next
      change(insert(EMPTY, shown === history.length ? fresh : pasted(history[shown]!)))
    }

    function submit(): void {
      const isMore = !single && draft.at === draft.text.length && draft.text.endsWith('\\')
      if (isMore) return change(insert(edits.removeLeft(draft), '\n'))
      finish({ type: 'text', text: draft.text })
    }

    function press(event: Press): void {
      if (event.type === 'paste') {
        const text = pasted(event.text)
        return change(insert(draft, single ? text.replaceAll('\n', ' ') : text))
      }
      const { key, text } = event
      const named = nameOf(key)
      const edit = EDITS[named]
      if (edit) return change(edit(draft))
      switch (named) {
        case 'return':
          return submit()
        case 'meta-return':
        case 'enter':
          return single ? submit() : change(insert(draft, '\n'))
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
          const whole = options.complete?.(draft.text)
          return whole === undefined ? undefined : change({ text: whole, at: whole.length })
        }
        case 'ctrl-l':
          screen.write('\x1b[2J\x1b[H')
          cursorRow = 0
          return draw()
        case 'redraw':
          cursorRow = 0
          return draw()
        default:
          if (text === '' || key.ctrl || key.meta || isUnseen(text)) return
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

/** A key that means nothing here. */
function isUnseen(text: string): boolean {
  return visibleLine(text) !== text
}
