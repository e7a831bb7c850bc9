import type { Message } from './message.ts'
import { isSpace } from './readers.ts'

/** Hand out text, and keep in mind whether the line so far is blank: a fence begins only there. */
export function giveText(message: Message, text: string, at: number): void {
  message.output.text(text, at)
  const line = text.lastIndexOf('\n')
  if (line >= 0) message.lineBlank = true
  for (let i = line + 1; message.lineBlank && i < text.length; i++) {
    message.lineBlank = isSpace(text.charCodeAt(i))
  }
}
