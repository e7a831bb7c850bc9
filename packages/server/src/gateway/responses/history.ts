import { GatewayError } from '../gateway-error.ts'
import type { ConversationItem } from '../request.ts'

/** An item of a request: itself, or the id of one that was answered earlier. */
export type InputItem =
  | ConversationItem
  | { readonly role: 'reference'; readonly id: string; readonly where: string }

/** An item that was answered. Reasoning is not part of a conversation. */
export interface OutputItem {
  readonly id: string
  readonly item: ConversationItem | undefined
}

/** Replaces references by what they refer to. Throws a GatewayError if one is unknown. */
export async function resolveReferences(
  input: readonly InputItem[],
  find: (id: string) => OutputItem | undefined | Promise<OutputItem | undefined>,
): Promise<readonly ConversationItem[]> {
  const items: ConversationItem[] = []
  for (const item of input) {
    if (item.role !== 'reference') {
      items.push(item)
      continue
    }
    const found = await find(item.id)
    if (!found) throw notFound('item_not_found', `item ${quoted(item.id)}`, item.where)
    if (found.item) items.push(found.item)
  }
  return items
}

/** The error for a response that is not, or no longer, kept. */
export function previousNotFound(id: string): GatewayError {
  return notFound('previous_response_not_found', `response ${quoted(id)}`, 'previous_response_id')
}

function notFound(code: string, what: string, parameter: string): GatewayError {
  const kind = code.startsWith('item') ? 'item' : 'response'
  const why = 'Only the latest are kept: send the whole conversation instead.'
  return new GatewayError(400, code, `There is no ${what}. ${why}`, {
    parameter,
    summary: `There is no such ${kind}. ${why}`,
  })
}

function quoted(id: string): string {
  return JSON.stringify(id.slice(0, 100))
}
