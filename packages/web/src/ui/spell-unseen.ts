import { unseenIn } from './unseen.ts'

/** A text with every character that nobody would see spelled out, for where there can be no boxes. */
export function spellUnseen(text: string): string {
  let spelled = ''
  let last = 0
  for (const { name, from, to, count } of unseenIn(text)) {
    spelled += `${text.slice(last, from)}⟦${name}${count > 1 ? ` ×${count}` : ''}⟧`
    last = to
  }
  return spelled + text.slice(last)
}
