import { readCode } from './code.ts'
import { readCopy } from './copy.ts'
import { watchNetwork } from './network.ts'
import { atTheEnd, type RawPage, type RawReader } from './raw-reader.ts'
import { see } from '../look.ts'

/** Begins to read the next reply of a page. */
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
