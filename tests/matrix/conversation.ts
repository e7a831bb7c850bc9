import { parse, type ProtocolId } from '@toolglot/core'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ReceivedMessage } from '../../packages/server/test/strict-request.ts'
import type { Behaviour } from '../../packages/server/test/upstream.ts'
import type { Agent, ApiName, StartOptions } from './agent.ts'
import { type MatrixGateway, startGateway } from './gateway.ts'
import { newPlace, type Place, type Ran, runAgent } from './run-agent.ts'

// Agents must not reach the network.
if (process.env['NETWORK'] !== 'loopback') throw new Error('This test needs npm run test:matrix.')

/** Options of a run. */
export interface RunOptions {
  readonly model?: string
  /** Additional start options, computed from the agent's folders. */
  readonly start?: (place: Place) => Partial<StartOptions>
}

/** Runs an agent with a model that has a certain behavior. */
export async function run(
  agent: Agent,
  api: ApiName,
  protocol: ProtocolId,
  behave: (place: Place) => Behaviour,
  { model = 'some-model', start }: RunOptions = {},
): Promise<{ place: Place; ran: Ran; exchanges: MatrixGateway['exchanges'] }> {
  const place = await newPlace()
  onTestFinished(() => place.remove())
  await writeFile(join(place.folder, 'hello.txt'), 'hi-from-file\n')
  await writeFile(join(place.folder, 'other.txt'), 'hi-from-other\n')
  const gateway = await startGateway(protocol, behave(place))
  onTestFinished(() => gateway.close())
  const { url, token, exchanges } = gateway
  const ran = await runAgent(agent, {
    ...place,
    api,
    gateway: url,
    token,
    model,
    prompt: PROMPT,
    ...start?.(place),
  })
  return { place, ran, exchanges }
}

const PROMPT = 'What does hello.txt say?'

/**
 * The model's reply to requests that offer tools. Agents also send other requests, such as for
 * titles.
 */
export function whenAsked(
  agent: Agent,
  reply: (messages: readonly ReceivedMessage[]) => string,
): NonNullable<Behaviour['reply']> {
  const { name } = agent.shell('')
  const described = [`"name": "${name}"`, `"name":"${name}"`, `<name>${name}</name>`]
  return (_, messages) => {
    const system = textOf(messages[0]!)
    return described.some((text) => system.includes(text)) ? reply(messages) : 'A title'
  }
}

/** The number of earlier calls of the model. */
export function roundOf(messages: readonly ReceivedMessage[], protocol: ProtocolId): number {
  return messages.filter(
    (message) =>
      message.role === 'assistant' &&
      parse(textOf(message), { protocols: protocol }).calls.length > 0,
  ).length
}

export function textOf({ content }: ReceivedMessage): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}
