import { createServer, type ServerResponse } from 'node:http'
import { listenUntilEnd } from '../helpers/free-ports.ts'

/** A message as the scripted model reads it: text only. */
export interface ReadMessage {
  readonly role: string
  readonly content: string
}

/**
 * The scripted model's reply: a string, or consecutive pieces. A piece can be reasoning, if the
 * server sends that separately.
 */
export type Reply = string | AsyncIterable<Piece> | Iterable<Piece>
export type Piece = string | { readonly reasoning: string }

/** Returns the scripted model's reply. `turn` counts its replies so far in this conversation. */
export type Script = (messages: readonly ReadMessage[], turn: number) => Reply

/** A fake model that follows a script, over chat completions. */
export interface ScriptedModel {
  /**
   * The model's reference under a name, which implies a protocol. Default: a name that implies
   * hermes.
   */
  reference(name?: string): string
  /** The conversations it received, in order. */
  readonly requests: readonly (readonly ReadMessage[])[]
}

/** Starts a fake model until the test ends. */
export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: (readonly ReadMessage[])[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(404).end()
      const { messages } = JSON.parse(text) as { messages: { role: string; content: unknown }[] }
      const read = messages.map(({ role, content }) => ({ role, content: textOf(content) }))
      requests.push(read)
      const turn = read.filter(({ role }) => role === 'assistant').length
      write(response, script(read, turn)).catch((error: unknown) =>
        response.destroy(error as Error),
      )
    })
  })
  const port = await listenUntilEnd(server)
  return { reference: (name = 'qwen3:8b') => `http://127.0.0.1:${port}/v1#${name}`, requests }
}

async function write(response: ServerResponse, reply: Reply): Promise<void> {
  response.setHeader('content-type', 'text/event-stream')
  const send = (delta: object, finish: string | null, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const chunk = { id: 'x', object: 'chat.completion.chunk', model: 'm', choices, ...more }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const pieces = typeof reply === 'string' ? (reply.match(/[^]{1,4000}/g) ?? []) : reply
  for await (const piece of pieces) {
    if (response.destroyed) return
    send(
      typeof piece === 'string' ? { content: piece } : { reasoning_content: piece.reasoning },
      null,
    )
  }
  const usage = { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 }
  send({}, 'stop', { usage })
  response.end('data: [DONE]\n\n')
}

/** A call in the hermes protocol. */
export function call(name: string, args: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as { type: string; text?: string }[])
    .map(({ type, text }) => text ?? `(${type})`)
    .join('\n')
}
