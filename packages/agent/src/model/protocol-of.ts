import { protocolFor, type ProtocolFor } from '@toolglot/core'
import type { Model } from './model.ts'

/**
 * The protocol of a model: the one found by probing, or else the one indicated by its chat template
 * or name.
 */
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
