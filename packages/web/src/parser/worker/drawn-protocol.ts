import type { Protocol } from '@toolglot/core'
import { readPicture } from '@toolglot/core/picture'

let last: { readonly source: string; readonly protocol: Protocol | undefined } | undefined

/** The protocol that a picture describes, if it describes one. The same object for the same text: grammars are kept by it. */
export function drawnProtocol(source: string): Protocol | undefined {
  if (last?.source !== source) last = { source, protocol: readPicture(source).protocol }
  return last.protocol
}
