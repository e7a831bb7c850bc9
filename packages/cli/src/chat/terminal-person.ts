import type { ReadStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from '../show/text/table.ts'
import { colorsOf, columnsOf, type Terminal } from '../terminal.ts'
import { openKeys } from './editor/keys.ts'
import { readDraft } from './editor/read-draft.ts'
import type { History } from './history.ts'
import type { Person } from './session.ts'

/** The context of the prompt. */
export interface TerminalPersonOptions {
  readonly history: History
  readonly complete: (text: string) => string | undefined
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal
}

/** The user at a terminal. Undefined without a terminal, or with one that lacks cursor control. */
export function terminalPerson(
  terminal: Terminal,
  options: TerminalPersonOptions,
): Person | undefined {
  const { input, output, errors, env } = terminal
  const isScreen = output.isTTY && errors.isTTY && (input as Partial<ReadStream>).isTTY
  if (!isScreen || env['TERM'] === 'dumb') return undefined
  const { history, complete, signal } = options
  const { cyan, dim } = colorsOf(output, env)
  const keys = openKeys(input as unknown as ReadStream, output)
  /** Text that was suggested, or typed while the model was busy. */
  let typedAhead = ''
  let isLeaving = false

  return {
    suggest: (text) => void (typedAhead = text),
    async next(status) {
      for (;;) {
        const draft = typedAhead
        typedAhead = ''
        const read = await readDraft({
          keys,
          screen: output,
          prompt: `${cyan('›')} `,
          promptWidth: 2,
          status: dim(status),
          draft,
          history: history.entries,
          complete,
          signal,
        })
        if (signal.aborted || read.type === 'left') return undefined
        if (read.type === 'text') {
          if (read.text.trim() === '') continue
          history.add(read.text)
          isLeaving = false
          return read.text
        }
        if (read.type === 'escaped') continue
        if (isLeaving) return undefined
        isLeaving = true
        output.write(dim('Press Ctrl-C again or Ctrl-D to leave.\n'))
      }
    },
    keyboard: {
      async ask(question, stop) {
        const questionWidth = displayWidth(stripVTControlCharacters(question))
        const isLong = questionWidth + 20 > columnsOf(output)
        if (isLong) output.write(`${question.trimEnd()}\n`)
        const { signal: both } = either(stop, signal)
        const read = await readDraft({
          keys,
          screen: output,
          prompt: isLong ? '  › ' : question,
          promptWidth: isLong ? 4 : questionWidth,
          singleLine: true,
          signal: both,
        })
        return read.type === 'text' ? read.text : undefined
      },
      show: (text) => void output.write(text),
    },
    async during(work) {
      const stop = new AbortController()
      const { signal: both } = either(stop.signal, signal)
      let presses = 0
      const forget = keys.listen((press) => {
        const isKey = press.type === 'key'
        const isStop = isKey && press.key.ctrl && press.key.name === 'c'
        if (isStop || (isKey && press.key.name === 'escape')) {
          if (isStop) presses++
          stop.abort()
        } else if (press.type === 'paste') typedAhead += press.text
        else if (!press.key.ctrl && !press.key.meta && press.key.name !== 'return')
          typedAhead =
            press.key.name === 'backspace' ? typedAhead.slice(0, -1) : typedAhead + press.text
      })
      try {
        const value = await work(both)
        return { value, leaves: presses > 1 || signal.aborted }
      } finally {
        forget()
      }
    },
    show: (text) => void output.write(text),
    close: () => keys.close(),
  }
}

function either(one: AbortSignal, other: AbortSignal): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.any([one, other]) }
}
