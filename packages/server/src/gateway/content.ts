import { isImageUrl } from '@toolglot/agent/internal'
import { invalid, refused } from './expect.ts'
import type { ConversationItem, ResultImage } from './request.ts'

/** A part of a message. */
export type Part = { readonly type: 'text'; readonly text: string } | ResultImage

type ConversationResult = Extract<ConversationItem, { role: 'result' }>

/** The text of a message, without its images. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** The result of a tool: text and images. */
export function resultOf(call: string, parts: readonly Part[]): ConversationResult {
  const images = parts.filter((part) => part.type === 'image')
  return {
    role: 'result',
    call,
    output: textOf(parts),
    images: images.length > 0 ? images : undefined,
  }
}

/** The text of a message that must contain only text. */
export function onlyText(where: string, parts: readonly Part[]): string {
  const at = parts.findIndex(({ type }) => type !== 'text')
  if (at >= 0)
    throw refused(`${where}[${at}]`, 'images in this message', 'put them in a user message')
  return textOf(parts)
}

/** The content of a user message: a string if it contains only text. */
export function contentOf(parts: readonly Part[]): string | readonly Part[] {
  return parts.every(({ type }) => type === 'text') ? textOf(parts) : parts
}

/** Content is a string, a list of parts, or empty. */
export function readParts(
  where: string,
  content: unknown,
  readPart: (where: string, part: unknown) => Part,
): readonly Part[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw invalid(where, 'a string, a list of parts or null', content)
  return content.map((part: unknown, at) => readPart(`${where}[${at}]`, part))
}

/** An image, given by its URL. */
export function readImage(where: string, url: unknown): ResultImage {
  // A plain HTTP address is more likely to be inside this network than to be an image.
  if (!isImageUrl(url) || url.startsWith('http:'))
    throw invalid(where, 'data:image/…;base64,… or https://…', url)
  return { type: 'image', url }
}
