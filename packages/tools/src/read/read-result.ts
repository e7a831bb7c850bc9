export interface ReadResult {
  /** The lines, with their numbers. */
  content: string
  /** How many lines the whole file has. */
  total_lines: number
  /** The real path. */
  path: string
  /** Of the whole file, in bytes. */
  size?: number
  kind: 'text' | 'folder' | 'image' | 'notebook' | 'pdf'
  first_line?: number
  last_line?: number
  /** Of a PDF: how many pages it has, and which are shown. */
  total_pages?: number
  first_page?: number
  last_page?: number
  /** Where to go on, if there is more. */
  next_offset?: number
  /** Of text that is not UTF-8. */
  encoding?: string
  image?: Image
  /** What the model should know: how to go on, what was left out. */
  notice?: string
}

export interface Image {
  media_type: string
  /** Base64. */
  data: string
  bytes: number
  width?: number
  height?: number
}
