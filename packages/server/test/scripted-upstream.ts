import { protocols, printCall } from '@toolglot/core'
import { createServer, type ServerResponse } from 'node:http'
import { listenUntilEnd } from '../../../tests/helpers/free-ports.ts'

/** A message as the scripted model reads it: text only. */
export interface ReadMessage {
  readonly role: string
  readonly content: string
}

/** The scripted model's reply. `hang`: it starts but never ends. */
export type ScriptedAnswer = string | { readonly hang: string }

/** Returns the scripted model's reply. `turn` counts its replies so far in this conversation. */
export type Script = (
  messages: readonly ReadMessage[],
  turn: number,
) => ScriptedAnswer | Promise<ScriptedAnswer>

/** A scripted model that listens on loopback. */
export interface ScriptedUpstream {
  /** The reference of the model under a name. */
  reference(name?: string): string
  /** The conversations it received, in order. */
  readonly requests: readonly (readonly ReadMessage[])[]
  /** The values of all `authorization` headers it received. */
  readonly keys: readonly (string | undefined)[]
}

/** Starts a model that follows a script, over chat completions, until the test ends. */
export async function scriptedUpstream(script: Script): Promise<ScriptedUpstream> {
  const requests: (readonly ReadMessage[])[] = []
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(404).end()
      keys.push(request.headers.authorization)
      const body = JSON.parse(text) as { messages: { role: string; content: unknown }[] }
      const messages = body.messages.map(({ role, content }) => ({
        role,
        content: wordsOf(content),
      }))
      requests.push(messages)
      const turn = messages.filter(({ role }) => role === 'assistant').length
      void Promise.resolve(script(messages, turn)).then((answer) => write(response, answer))
    })
  })
  const port = await listenUntilEnd(server)
  return {
    reference: (name = 'fake') => `http://127.0.0.1:${port}/v1#${name}`,
    requests,
    keys,
  }
}

/** A call as the scripted model writes it, in the hermes protocol. */
export function call(name: string, args: object): string {
  return printCall(protocols.hermes, { name, args: args as Record<string, unknown> })
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as { type: string; text?: string }[])
    .map(({ type, text }) => text ?? `(${type})`)
    .join('\n')
}

function write(response: ServerResponse, answer: ScriptedAnswer): void {
  response.setHeader('content-type', 'text/event-stream')
  const send = (delta: object, finish: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices })}\n\n`)
  }
  send({ role: 'assistant', content: typeof answer === 'string' ? answer : answer.hang }, null)
  if (typeof answer !== 'string') return
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
}
