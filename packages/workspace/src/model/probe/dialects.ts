import type { Model } from '@toolglot/agent'
import { chooseCallFormat } from '@toolglot/agent/adapter/internal'
import { type Protocol, protocols } from '@toolglot/core'

/**
 * Dialects that models manage although they were not trained on them, each with another weakness: tags and JSON, which most
 * models have seen; the same with a longer explanation; tags whose text needs no escapes; JSON alone, for models that always
 * write JSON; a Python call, for those that rather write code.
 */
const STURDY: readonly Protocol[] = [
  protocols.hermes,
  protocols['tool-call'],
  protocols['tool-xml'],
  protocols['generic-json'],
  protocols.pythonic,
]

/** What a model would be asked to write without a probe; undefined if that is a guess. */
export function ownDialect(model: Model): Protocol | 'native' | undefined {
  const { probed: _, ...unprobed } = model
  const { protocol, guessed } = chooseCallFormat(unprobed, undefined)
  return guessed ? undefined : (protocol ?? 'native')
}

/** The dialects worth trying with a model: its own first, function calling if there is any, and sturdy ones. */
export function dialectsFor(
  model: Model,
  { native = model.native ?? false }: { readonly native?: boolean | undefined } = {},
): readonly (Protocol | 'native')[] {
  const own = ownDialect(model)
  const all = [...(own ? [own] : []), ...(native ? ['native' as const] : []), ...STURDY]
  return all.filter((each, at) => all.findIndex((other) => idOf(other) === idOf(each)) === at)
}

/** The id of a protocol, or `native`. */
export function idOf(dialect: Protocol | 'native'): string {
  return dialect === 'native' ? dialect : dialect.id
}
