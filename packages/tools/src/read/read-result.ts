/** What Read returns. */
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
  /** PDFs only: the number of pages, and which are shown. */
  total_pages?: number
  first_page?: number
  last_page?: number
  /** The offset to continue from, if there is more. */
  next_offset?: number
  /** Set if the text is not UTF-8. */
  encoding?: string
  image?: ResultImage
  /** A note to the model: how to continue, what was left out. */
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
