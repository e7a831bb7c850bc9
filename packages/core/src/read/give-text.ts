import type { Message } from './message.ts'
import { isSpace } from './readers.ts'

/** Hands out text and remembers whether the line so far is blank: a fence begins only on such a line. */
export function giveText(message: Message, text: string, at: number): void {
  message.output.text(text, at)
  for (let i = text.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(i)
    if (code === 10 || !isSpace(code)) {
      message.lineBlank = code === 10
      return
    }
  }
}
