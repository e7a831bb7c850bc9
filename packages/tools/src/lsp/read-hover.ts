import { objectOf, limitedText } from './untyped.ts'

const MAX_LENGTH = 10_000

/** Reads the contents of a hover as Markdown: a string, a code block, or a list of these. */
export function readHover(value: unknown): string {
  const { contents } = objectOf(value)
  const parts = (Array.isArray(contents) ? contents.slice(0, 100) : [contents]).map(readPart)
  return limitedText(parts.filter((part) => part !== '').join('\n\n'), MAX_LENGTH) ?? ''
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part.trim()
  const { value, language } = objectOf(part)
  const text = typeof value === 'string' ? value.trim() : ''
  return typeof language === 'string' && text !== '' ? `\`\`\`${language}\n${text}\n\`\`\`` : text
}
