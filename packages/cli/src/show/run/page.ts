import { type Screen, columnsOf } from '../../terminal.ts'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import { truncate } from '../text/table.ts'

/** A last line with the current activity, which disappears when other text is written. */
interface StatusLine {
  show(text: string): void
  hide(): void
}

/**
 * The kind of a block. Blocks of different kinds are separated by an empty line, except after the
 * heading of a turn.
 */
export type BlockKind = 'text' | 'reasoning' | 'call' | 'todo' | 'note' | 'prompt' | 'turn'

/** Writes blocks and streamed text one below the other. */
export interface Page {
  /** Writes whole lines. */
  block(kind: BlockKind, lines: readonly string[]): void
  /** Writes more of the model's text. */
  writeText(delta: string): void
  /** Writes more of the model's reasoning. */
  writeReasoning(delta: string): void
  /** Shows the current activity until text is written. */
  setStatus(text: string): void
  /** Ends the current line, so that other text can be written. */
  endLine(): void
  /** Ends the current line, and treats the next block as the first one. */
  reset(): void
}

/** A page whose text goes to one screen and all other output to another, or to the same. */
export function createPage({
  text,
  notes,
  dim,
}: {
  readonly text: Screen | undefined
  readonly notes: Screen
  readonly dim: (text: string) => string
}): Page {
  const status = createStatusLine(notes, dim)
  const sanitize = createTextSanitizer()
  let last: BlockKind | undefined
  let isOpen = false
  /** Whitespace that is written only if text follows. */
  let space = ''

  function endLine(): void {
    status.hide()
    if (isOpen) (last === 'text' && text ? text : notes).write('\n')
    isOpen = false
    space = ''
  }

  function begin(kind: BlockKind, screen: Screen): void {
    if (last === kind && isOpen) return status.hide()
    endLine()
    const isApart = last !== undefined && last !== 'turn' && (last !== kind || kind === 'text')
    if (isApart) screen.write('\n')
    last = kind
  }

  function stream(
    kind: BlockKind,
    screen: Screen,
    delta: string,
    paint: (text: string) => string,
  ): void {
    if (last !== kind || !isOpen) space = ''
    const shown = space + delta
    const end = shown.trimEnd()
    if (end === '') {
      space = isOpen && last === kind ? shown : ''
      return
    }
    const isNew = last !== kind || !isOpen
    begin(kind, screen)
    isOpen = true
    space = shown.slice(end.length)
    // Each line ends its colors.
    screen.write(
      (isNew ? end.trimStart() : end)
        .split('\n')
        .map((line) => (line === '' ? '' : paint(line)))
        .join('\n'),
    )
  }

  return {
    endLine,
    reset() {
      endLine()
      last = undefined
    },
    block(kind, lines) {
      if (lines.length === 0) return
      begin(kind, notes)
      notes.write(lines.map((line) => `${line}\n`).join(''))
    },
    writeText: (delta) => stream('text', text ?? notes, sanitize(delta), (line) => line),
    writeReasoning: (delta) => stream('reasoning', notes, sanitize(delta), dim),
    setStatus: (what) => {
      endLine()
      status.show(visibleLine(what))
    },
  }
}

/** Makes streamed text safe to print. Sequences that may be split between chunks are held back. */
function createTextSanitizer(): (delta: string) => string {
  let held = ''
  return (delta) => {
    const text = held + delta
    // Half of a surrogate pair, or of a line break.
    const cutAt = /[\ud800-\udbff\r]$/.test(text) ? text.length - 1 : text.length
    held = text.slice(cutAt)
    return visible(text.slice(0, cutAt).replaceAll('\r\n', '\n'))
  }
}

/** The status line of a terminal. Without a terminal, it does nothing. */
function createStatusLine(screen: Screen, paint: (text: string) => string): StatusLine {
  let timer: ReturnType<typeof setInterval> | undefined
  const draw = (text: string, since: number): void => {
    const seconds = Math.floor((performance.now() - since) / 1000)
    const line = `${text}${seconds > 0 ? ` ${seconds} s` : ''}`
    screen.write(`\r\x1b[K${paint(truncate(line, columnsOf(screen) - 1))}`)
  }
  const hide = (): void => {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    screen.write('\r\x1b[K')
  }
  return {
    hide,
    show(text) {
      hide()
      if (!screen.isTTY) return
      const since = performance.now()
      draw(text, since)
      timer = setInterval(draw, 1000, text, since)
      timer.unref()
    },
  }
}
