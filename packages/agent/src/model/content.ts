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
