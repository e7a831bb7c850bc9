import { emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { ReadStream } from 'node:tty'
import type { Screen } from '../../terminal.ts'

/** A key press, or pasted text. */
export type Press =
  | { readonly type: 'key'; readonly key: Key; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }

/** Receives key presses and pastes. */
export type Listener = (press: Press) => void

/** The keys of a terminal. Each press goes to the most recently added listener. */
export interface Keys {
  /** Listens until the returned function is called. */
  listen(listener: Listener): () => void
  /** Restores the terminal's mode. */
  close(): void
}

const CTRL_D: Press = {
  type: 'key',
  key: { name: 'd', ctrl: true, meta: false, shift: false },
  text: '',
}

const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'

/** Puts the terminal into raw mode, with bracketed paste, and reads its keys. */
export function openKeys(input: ReadStream, output: Screen): Keys {
  const listeners: Listener[] = []
  let paste: string[] | undefined
  let hasEnded = false

  function onKeypress(text: string | undefined, key: Key): void {
    if (key.name === 'paste-start') paste = []
    else if (key.name === 'paste-end') {
      const pasted = paste?.join('') ?? ''
      paste = undefined
      emit({ type: 'paste', text: pasted })
    } else if (paste) paste.push(key.sequence ?? text ?? '')
    else if (key.ctrl && key.name === 'z') suspend()
    else emit({ type: 'key', key, text: text ?? '' })
  }

  function emit(press: Press): void {
    listeners.at(-1)?.(press)
  }

  function enterRawMode(): void {
    input.setRawMode(true)
    input.resume()
    output.write(PASTE_ON)
  }

  function leaveRawMode(): void {
    output.write(PASTE_OFF)
    input.setRawMode(false)
  }

  /** Raw mode disables the usual effect of Ctrl-Z. */
  function suspend(): void {
    leaveRawMode()
    process.once('SIGCONT', () => {
      enterRawMode()
      emit({
        type: 'key',
        key: { name: 'redraw', ctrl: false, meta: false, shift: false },
        text: '',
      })
    })
    process.kill(process.pid, 'SIGTSTP')
  }

  /** The terminal is gone: from now on, every listener gets Ctrl-D. */
  function onEnd(): void {
    hasEnded = true
    emit(CTRL_D)
  }

  // The interface is only used for the waiting time after Esc, in case an escape sequence follows.
  emitKeypressEvents(input, { escapeCodeTimeout: 50 } as unknown as Interface)
  input.on('keypress', onKeypress)
  input.once('end', onEnd)
  enterRawMode()
  return {
    listen(listener) {
      listeners.push(listener)
      if (hasEnded) queueMicrotask(() => listener(CTRL_D))
      return () => void listeners.splice(listeners.indexOf(listener), 1)
    },
    close() {
      input.off('keypress', onKeypress)
      input.off('end', onEnd)
      leaveRawMode()
      input.pause()
    },
  }
}
