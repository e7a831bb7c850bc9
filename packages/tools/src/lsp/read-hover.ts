import { shapeOf, textOf } from './untyped.ts'

const LONGEST = 10_000

/** What a hover says, as Markdown: a text, a text in a language, or several. */
export function readHover(value: unknown): string {
  const { contents } = shapeOf(value)
  const parts = (Array.isArray(contents) ? contents.slice(0, 100) : [contents]).map(readPart)
  return textOf(parts.filter((part) => part !== '').join('\n\n'), LONGEST) ?? ''
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part.trim()
  const { value, language } = shapeOf(part)
  const text = typeof value === 'string' ? value.trim() : ''
  return typeof language === 'string' && text !== '' ? `\`\`\`${language}\n${text}\n\`\`\`` : text
}
