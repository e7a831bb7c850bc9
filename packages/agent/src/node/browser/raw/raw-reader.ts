import type { BrowserContext, BrowserPage } from '../playwright.ts'
import type { Site } from '../site.ts'

/** Reads the text of one reply as the model wrote it. */
export interface RawReader {
  /** What has arrived since the last time; always empty for sources that are read at the end. */
  next(): string
  /** Whether everything has arrived, as far as the source knows. */
  isComplete(): boolean
  /** The rest of the text, once the page shows a finished reply. */
  rest(): Promise<string>
  /** Stops watching. */
  close(): void
}

/** A page whose next reply is read. */
export interface RawPage<Raw = Site['raw']> {
  readonly context: BrowserContext
  readonly page: BrowserPage
  readonly site: Site
  readonly raw: Raw
}

/** A reader that reads the whole text once it is finished. */
export function atTheEnd(read: () => Promise<string>): RawReader {
  return { next: () => '', isComplete: () => true, rest: read, close() {} }
}
