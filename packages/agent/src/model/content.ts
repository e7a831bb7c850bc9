import { isObject } from '../tool/json-schema.ts'
import { isImageUrl } from './image-url.ts'

/** What a user message says: text, or text and images in order. */
export type Content = string | readonly ContentPart[]

/** A part of a message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `url` is a `data:` URL with the image itself, or an address that the model's server fetches. */
  | { readonly type: 'image'; readonly url: string }

/** The text of a message, without its images. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** How many images a message has. */
export function countImages(content: Content): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length
}

/** Whether a value is the content of a message, with images that a model's server could read. */
export function isContent(value: unknown): value is Content {
  return typeof value === 'string' || (Array.isArray(value) && value.every(isPart))
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, text, url } = value
  return type === 'image' ? isImageUrl(url) : type === 'text' && typeof text === 'string'
}

/** What `isContent` accepts, for error messages. */
export const CONTENT =
  'text, or a list of { type: "text", text } and { type: "image", url } with a URL data:image/…;base64,… or https://…'
