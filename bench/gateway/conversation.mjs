// Measures the part of a conversation that is sent to a model again, and the part of it that a
// server can take from its cache.
import { createGateway } from '@toolglot/server/gateway'

const TURNS = 10

/** @typedef {{ choices: [{ message: { tool_calls: { id: string }[] } }] }} Completion */

/**
 * An agent's conversation of ten turns with calls: with cached replies, and with all replies
 * printed again.
 */
export async function conversation() {
  return { kept: await talk(() => 'one'), printed: await talk((turn) => `owner ${turn}`) }
}

/** @param {(turn: number) => string} ownerOf the owner; another owner gets no cached replies */
async function talk(ownerOf) {
  /** @type {string[]} */
  const prompts = []
  /** @type {string[]} */
  const replies = []
  /** @type {import('@toolglot/agent').Model} */
  const model = {
    name: 'hermes',
    async *reply({ messages }) {
      prompts.push(
        messages.map(({ role, content }) => `<${role}>${JSON.stringify(content)}`).join(''),
      )
      // In a model's own formatting, which differs from a printer's.
      const reply = `I look at part ${prompts.length}.\n<tool_call>\n{"arguments": {"path":"part-${prompts.length}.md"}, "name":"read"}\n</tool_call>`
      replies.push(reply)
      yield { type: 'text', delta: reply }
      yield { type: 'finish', finish: 'stop' }
    },
  }
  const gateway = createGateway({
    models: { list: () => Promise.resolve([]), find: () => Promise.resolve({ model }) },
  })
  const parameters = { type: 'object', properties: { path: { type: 'string' } } }
  const tools = [{ type: 'function', function: { name: 'read', parameters } }]
  /** @type {object[]} */
  const messages = [
    { role: 'system', content: 'You read files. '.repeat(100) },
    { role: 'user', content: 'Read all parts.' },
  ]
  for (let turn = 0; turn < TURNS; turn++) {
    const request = new Request('http://127.0.0.1/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', messages, tools }),
    })
    const response = await gateway.fetch(request, { owner: ownerOf(turn) })
    const { choices } = /** @type {Completion} */ (await response.json())
    const [{ message }] = choices
    messages.push(message)
    for (const call of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: 'A line of text. '.repeat(40) })
  }
  let sent = 0
  let cached = 0
  prompts.forEach((prompt, at) => {
    sent += prompt.length
    const before = at === 0 ? '' : `${prompts[at - 1]}<assistant>${JSON.stringify(replies[at - 1])}`
    cached += sharedLength(prompt, before)
  })
  return { sent, new: sent - cached, sentPerNew: Number((sent / (sent - cached)).toFixed(2)) }
}

/**
 * @param {string} one
 * @param {string} other
 */
function sharedLength(one, other) {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}
