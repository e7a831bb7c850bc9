import type { Message } from './message.ts'
import { isSpace } from './readers.ts'

/** Hands out the text that was read last, and remembers whether the line so far is blank: a fence begins only on such a line. */
export function giveText(message: Message, text: string): void {
  const { input, output } = message
  output.text(text, input.place - text.length)
  for (let i = text.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(i)
    if (code === 10 || !isSpace(code)) {
      message.lineBlank = code === 10
      return
    }
  }
}
