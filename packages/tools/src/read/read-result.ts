/** The part of a file to read, and its form. */
export interface ReadRequest {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly pages?: string | undefined
  readonly line_numbers?: boolean | undefined
  readonly encoding: string | undefined
  /** The file's name in messages. */
  readonly name: string
  readonly signal: AbortSignal
}

/** The result of Read. */
export interface ReadResult {
  /** The lines, numbered unless `line_numbers` is false. */
  content: string
  /** Number of lines in the whole file. */
  total_lines: number
  /** The real path. */
  path: string
  /** Size of the whole file, in bytes. */
  size?: number
  kind: 'text' | 'folder' | 'image' | 'notebook' | 'pdf'
  first_line?: number
  last_line?: number
  /** PDFs only: the number of pages. */
  total_pages?: number
  first_page?: number
  last_page?: number
  /** The offset to continue from, if there is more. */
  next_offset?: number
  /** Set if the text is not UTF-8. */
  encoding?: string
  image?: ResultImage
  /** A note to the model about the omitted content and how to continue. */
  notice?: string
}

/** An image in a result. */
export interface ResultImage {
  media_type: string
  /** Base64. */
  data: string
  bytes: number
  width?: number
  height?: number
}

/** Splits a result into its data and its image, so that the image is sent only once. Undefined if it is not an object. */
export function takeImage(
  result: unknown,
): { readonly data: Record<string, unknown>; readonly image?: ResultImage } | undefined {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined
  const plain = result as Record<string, unknown>
  const { image } = result as { image?: ResultImage }
  if (!image) return { data: plain }
  const { data: _, ...facts } = image
  return { data: { ...plain, image: facts }, image }
}

/**
 * The note below a partial listing: the total, and how to continue. Empty if the listing is
 * complete.
 */
export function windowNotice(window: {
  readonly what: 'lines' | 'names'
  readonly first: number
  readonly last: number
  readonly total: number
}): string {
  const { what, first, last, total } = window
  if (first > total) return `offset ${first} is past the end: there are ${total} ${what}.`
  if (first === 1 && last === total) return ''
  const part = `Showing ${what} ${first}-${last} of ${total}.`
  return last < total ? `${part} Use offset=${last + 1} to continue.` : `${part} This is the end.`
}
