/** Which part of a file to read, and how. */
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
