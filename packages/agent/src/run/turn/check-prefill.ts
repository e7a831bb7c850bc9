import { parse } from '@toolglot/core'
import type { CallFormat } from './call-format.ts'

/** Throws if a reply that begins in this way could not be read: it is in another protocol, or its call is already over. */
export function checkPrefill(prefill: string | undefined, { protocol, toolsIn }: CallFormat): void {
  if (prefill === undefined || prefill === '') return
  if (!protocol) {
    if (toolsIn === 'request') throw new TypeError(NATIVE)
    return
  }
  const own = parse(prefill, { protocols: protocol, finish: 'length' })
  if (own.calls.some(({ complete }) => complete))
    throw new TypeError(
      'Expected prefill to be the beginning of a reply, got a whole call: run it with `cycle` instead.',
    )
  const broken = own.segments.find(({ type }) => type === 'malformed')
  if (broken?.type === 'malformed' && broken.problem !== 'cut')
    throw new TypeError(
      `Expected prefill to begin a call in ${protocol.id}, got a malformed one: ${broken.hint}`,
    )
  const isCall = own.segments.some(({ type }) => type === 'call' || type === 'malformed')
  const any = parse(prefill, { finish: 'length' })
  const other = any.segments.find(({ type }) => type === 'call' || type === 'malformed')
  if (other && !isCall)
    throw new TypeError(
      `Expected prefill to be in the protocol ${protocol.id}, got a call in another one: ${JSON.stringify(prefill.slice(...other.span).slice(0, 60))}.`,
    )
}

const NATIVE =
  'Expected no prefill: with native function calling a reply cannot be begun. Select a protocol, or leave prefill out.'
