import { columnsOf, type Screen } from '../../terminal.ts'
import { truncate } from '../text/width.ts'

/** A last line that shows what is going on, and disappears when something else is written. */
export interface StatusLine {
  show(text: string): void
  hide(): void
}

/** The status line of a terminal; does nothing if the screen is not one. */
export function createStatusLine(screen: Screen, paint: (text: string) => string): StatusLine {
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
