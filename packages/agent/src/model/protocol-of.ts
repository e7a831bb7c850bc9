import { protocolFor, type ProtocolFor } from '@toolglot/core'
import type { Model } from './model.ts'

/** The protocol that a model writes, identified by its chat template or else by its name. */
export function protocolOf({
  name,
  chatTemplate,
}: Pick<Model, 'name' | 'chatTemplate'>): ProtocolFor & { readonly by: 'template' | 'name' } {
  const byTemplate = chatTemplate === undefined ? undefined : protocolFor({ chatTemplate })
  return byTemplate?.protocol
    ? { ...byTemplate, by: 'template' }
    : { ...protocolFor(name), by: 'name' }
}
