import { isObject } from '../tool/json-schema.ts'

/** A message in the form in which it is sent to a model. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: Content }
  | {
      readonly role: 'assistant'
      readonly content: string
      /** Calls made through native function calling. */
      readonly calls?: readonly MessageCall[]
    }
  /** With `call`, the result of the native call with that id. */
  | { readonly role: 'tool'; readonly content: string; readonly call?: string }

/** A call that the model made. */
export interface MessageCall {
  readonly id: string
  /** The model chose the id of this call itself. */
  readonly ownId?: true
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The content of a user message: text, or text and images in order. */
export type Content = string | readonly ContentPart[]

/** A part of a message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /**
   * `url` is a `data:` URL containing the image, or an address from which the model's server
   * fetches it.
   */
  | { readonly type: 'image'; readonly url: string }

/** The text of a message, without its images. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** The number of images in a message. */
export function countImages(content: Content): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length
}

/** True if a value is valid content of a message whose images a model's server could read. */
export function isContent(value: unknown): value is Content {
  return typeof value === 'string' || (Array.isArray(value) && value.every(isPart))
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, text, url } = value
  return type === 'image' ? isImageUrl(url) : type === 'text' && typeof text === 'string'
}

/** Describes valid content in error messages. */
export const CONTENT =
  'text, or a list of { type: "text", text } and { type: "image", url } with a URL data:image/…;base64,… or https://…'

/** The media type and base64 data of a `data:` URL with an image, or undefined for other URLs. */
export function readImageData(
  url: string,
): { readonly mediaType: string; readonly data: string } | undefined {
  const [start, mediaType] = /^data:(image\/[\w.+-]{1,64});base64,/i.exec(url) ?? []
  if (start === undefined || mediaType === undefined) return undefined
  return { mediaType: mediaType.toLowerCase(), data: url.slice(start.length) }
}

/** True if a model's server could read an image at this URL. */
export function isImageUrl(url: unknown): url is string {
  if (typeof url !== 'string') return false
  if (/^https?:\/\//i.test(url)) return URL.canParse(url)
  return Boolean(readImageData(url)?.data)
}
