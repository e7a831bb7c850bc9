import { protocolFor, type ProtocolFor } from '@toolglot/core'
import type { Model } from './model.ts'

/** The protocol that a model writes: what it was seen to write, or else what its chat template or its name implies. */
export function protocolOf({
  name,
  chatTemplate,
  probed,
}: Pick<Model, 'name' | 'chatTemplate' | 'probed'>): ProtocolFor & {
  readonly by: 'probe' | 'template' | 'name'
} {
  if (probed !== undefined && probed !== 'native')
    return { protocol: probed, nearest: [], by: 'probe' }
  const byTemplate = chatTemplate === undefined ? undefined : protocolFor({ chatTemplate })
  return byTemplate?.protocol
    ? { ...byTemplate, by: 'template' }
    : { ...protocolFor(name), by: 'name' }
}
