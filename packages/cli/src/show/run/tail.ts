import { columnsOf, type Screen } from '../../terminal.ts'
import { cut } from '../width.ts'

/** A last line that says what is going on, and goes away when something else is written. Nothing where there is no screen. */
export interface Tail {
  show(text: string): void
  hide(): void
}

export function tailOf(screen: Screen, paint: (text: string) => string): Tail {
  let timer: ReturnType<typeof setInterval> | undefined
  const draw = (text: string, since: number): void => {
    const seconds = Math.floor((performance.now() - since) / 1000)
    const line = `${text}${seconds > 0 ? ` ${seconds} s` : ''}`
    screen.write(`\r\x1b[K${paint(cut(line, columnsOf(screen) - 1))}`)
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
