import { readCode } from './code.ts'
import { readCopy } from './copy.ts'
import { watchNetwork } from './network.ts'
import { see } from '../look.ts'
import type { BrowserContext, BrowserPage } from '../playwright.ts'
import type { Site } from '../site.ts'

/** Reads a reply in the form in which the model wrote it. */
export interface RawReader {
  /**
   * Returns the text that has arrived since the last call. Always empty for sources that are read
   * at the end.
   */
  next(): string
  /** True once the source has delivered the whole text. */
  isComplete(): boolean
  /** Returns the rest of the text, once the page shows a finished reply. */
  rest(): Promise<string>
  /** Stops watching. */
  close(): void
}

/** A page and the source of its replies. */
export interface RawPage<Raw = Site['raw']> {
  readonly context: BrowserContext
  readonly page: BrowserPage
  readonly site: Site
  readonly raw: Raw
}

/** Creates a reader for sources that are read at the end. */
function atTheEnd(read: () => Promise<string>): RawReader {
  return { next: () => '', isComplete: () => true, rest: read, close() {} }
}

/** Starts reading the next reply on a page. */
export async function startReading({ raw, ...place }: RawPage): Promise<RawReader> {
  switch (raw.from) {
    case 'copy':
      return atTheEnd(() => readCopy({ ...place, raw }))
    case 'network':
      return watchNetwork({ ...place, raw })
    case 'code':
      return atTheEnd(() => readCode({ ...place, raw }))
    case 'text':
      return atTheEnd(async () => (await see(place.page, 'reply', place.site.reply)).text)
  }
}
