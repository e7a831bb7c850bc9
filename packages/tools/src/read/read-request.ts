/** What of a file is asked for. */
export interface Request {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly pages?: string | undefined
  readonly line_numbers?: boolean | undefined
  readonly encoding: string | undefined
  /** What the file is called in messages. */
  readonly name: string
  readonly signal: AbortSignal
}
