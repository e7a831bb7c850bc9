/** The fields of a request body that the fake model uses. */
export interface ReceivedBody {
  readonly model?: string
  readonly messages: readonly ReceivedMessage[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly max_tokens?: number
  readonly stop?: string | readonly string[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: unknown
}

/** The fields of a message that the fake model uses. */
export interface ReceivedMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

/** The features that a server accepts. */
export interface Acceptance {
  readonly calling?: 'text' | 'native' | 'printed'
  readonly images?: boolean
  readonly prefill?: boolean
  readonly alternating?: boolean
}

/** The reason why the strictest server would reject a request; undefined if it accepts it. */
export function refusalOf(body: ReceivedBody, accepts: Acceptance): string | undefined {
  const { calling = 'text', images = false, prefill = false, alternating = false } = accepts
  const text = calling === 'text'
  const fields = text ? TEXT_FIELDS : CALLING_FIELDS
  const field = Object.keys(body).find((name) => !fields.has(name))
  if (field !== undefined) return `Unrecognized request argument: ${field}.`
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'Expected messages.'

  const waiting = new Set<string>()
  for (const [at, message] of body.messages.entries()) {
    const { role, content } = message
    const where = `messages[${at}]`
    if (!(text ? TEXT_ROLES : CALLING_ROLES).has(role)) return `${where}: unknown role ${role}.`
    if (role === 'system' && at > 0) return `${where}: a system message must be first.`
    const extra = Object.keys(message).find((name) => !(text ? TEXT_KEYS : CALLING_KEYS).has(name))
    if (extra !== undefined) return `${where}: unknown field ${extra}.`
    const calls = message.tool_calls ?? []
    if (typeof content !== 'string') {
      const isFine =
        (content === null && calls.length > 0) ||
        (images && role === 'user' && Array.isArray(content))
      if (!isFine) return `${where}.content: expected a string.`
    } else if (content === '' && calls.length === 0 && role !== 'tool') {
      return `${where}.content: expected text.`
    }
    if (role === 'tool') {
      if (!waiting.delete(message.tool_call_id ?? '')) return `${where}: no call has this id.`
    } else if (waiting.size > 0) {
      return `${where}: expected the results of ${[...waiting].join(', ')}.`
    }
    for (const { id } of calls) waiting.add(id)
    if (alternating && role !== 'tool' && body.messages[at - 1]?.role === role) {
      return `${where}: roles must alternate.`
    }
  }
  if (waiting.size > 0) return `Expected the results of ${[...waiting].join(', ')}.`
  if (body.messages.at(-1)?.role === 'assistant' && !prefill) {
    return 'The last message must not be of the assistant.'
  }
  return undefined
}

const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'seed',
  'stop',
  'response_format',
])
const CALLING_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'tools', 'tool_choice'])
const TEXT_ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant'])
const CALLING_ROLES: ReadonlySet<string> = new Set([...TEXT_ROLES, 'tool'])
const TEXT_KEYS: ReadonlySet<string> = new Set(['role', 'content'])
const CALLING_KEYS: ReadonlySet<string> = new Set([...TEXT_KEYS, 'tool_calls', 'tool_call_id'])
