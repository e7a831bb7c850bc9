import { emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { ReadStream } from 'node:tty'
import type { Screen } from '../../terminal.ts'

/** A key, or text that was pasted. */
export type Press =
  | { readonly type: 'key'; readonly key: Key; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }

export type Listener = (press: Press) => void

/** The keys of a terminal, each told to who listens last. */
export interface Keys {
  /** Listens until the returned function is called. */
  listen(listener: Listener): () => void
  /** Gives the terminal back as it was. */
  close(): void
}

const LEAVE: Press = {
  type: 'key',
  key: { name: 'd', ctrl: true, meta: false, shift: false },
  text: '',
}

const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'

export function openKeys(input: ReadStream, output: Screen): Keys {
  const listeners: Listener[] = []
  let paste: string[] | undefined
  let isOver = false

  function heard(text: string | undefined, key: Key): void {
    if (key.name === 'paste-start') paste = []
    else if (key.name === 'paste-end') {
      const pasted = paste?.join('') ?? ''
      paste = undefined
      tell({ type: 'paste', text: pasted })
    } else if (paste) paste.push(key.sequence ?? text ?? '')
    else if (key.ctrl && key.name === 'z') suspend()
    else tell({ type: 'key', key, text: text ?? '' })
  }

  function tell(press: Press): void {
    listeners.at(-1)?.(press)
  }

  function take(): void {
    input.setRawMode(true)
    input.resume()
    output.write(PASTE_ON)
  }

  function give(): void {
    output.write(PASTE_OFF)
    input.setRawMode(false)
  }

  /** As Ctrl-Z does elsewhere. */
  function suspend(): void {
    give()
    process.once('SIGCONT', () => {
      take()
      tell({
        type: 'key',
        key: { name: 'redraw', ctrl: false, meta: false, shift: false },
        text: '',
      })
    })
    process.kill(process.pid, 'SIGTSTP')
  }

  /** The terminal is gone: whoever listens hears Ctrl-D from now on. */
  function over(): void {
    isOver = true
    tell(LEAVE)
  }

  // It wants an interface only to learn how long Esc is waited for, in case more follows.
  emitKeypressEvents(input, { escapeCodeTimeout: 50 } as unknown as Interface)
  input.on('keypress', heard)
  input.once('end', over)
  take()
  return {
    listen(listener) {
      listeners.push(listener)
      if (isOver) queueMicrotask(() => listener(LEAVE))
      return () => void listeners.splice(listeners.indexOf(listener), 1)
    },
    close() {
      input.off('keypress', heard)
      input.off('end', over)
      give()
      input.pause()
    },
  }
}
