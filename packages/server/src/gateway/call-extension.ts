import type { RunCall } from '@toolglot/agent'
import { doubtsAbout } from '@toolglot/agent/adapter/internal'

/** How far a call can be trusted, where that is not plain: an extension that clients may ignore. */
export function extensionOf(call: RunCall): { readonly toolglot: object } | undefined {
  const { repairs } = call
  const doubts = doubtsAbout(call)
  if (repairs.length === 0 && doubts.length === 0) return undefined
  const trust = Object.fromEntries(doubts.map((doubt) => [snakeCase(doubt), true]))
  return { toolglot: { repairs: repairs.length > 0 ? repairs : undefined, ...trust } }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
