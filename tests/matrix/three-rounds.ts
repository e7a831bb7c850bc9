import { printCalls, type ProtocolId } from '@toolglot/core'
import { join } from 'node:path'
import { expect } from 'vitest'
import { checkChatStream } from '../../packages/server/test/check-chat-stream.ts'
import { checkMessagesStream } from '../../packages/server/test/check-messages-stream.ts'
import { checkResponsesStream } from '../../packages/server/test/check-responses-stream.ts'
import type { CheckedStream } from '../../packages/server/test/checked-stream.ts'
import type { Agent, ApiName } from './agent.ts'
import { roundOf, run, type RunOptions, textOf, whenAsked } from './conversation.ts'
import type { Exchange } from './traffic.ts'

/**
 * One call, two calls in one reply, and an answer with their results. Checks that the model
 * received all of it, in its own protocol.
 */
export async function threeRounds(
  agent: Agent,
  api: ApiName,
  protocol: ProtocolId,
  options?: RunOptions,
) {
  const { ran, exchanges } = await run(
    agent,
    api,
    protocol,
    ({ folder }) => ({
      reply: whenAsked(agent, (messages) => {
        const rounds = [
          [agent.shell('echo hi-from-shell')],
          [agent.read(join(folder, 'hello.txt')), agent.shell('cat other.txt')],
        ]
        const round = roundOf(messages, protocol)
        const calls = rounds[round]
        if (calls) return `${round === 0 ? 'I will look.\n' : ''}${printCalls(protocol, calls)}`
        const told = messages.map(textOf).join('\n')
        const facts = ['hi-from-shell', 'hi-from-file', 'hi-from-other']
        return `DONE-42: ${facts.filter((fact) => told.includes(fact)).join(' ')}`
      }),
    }),
    options,
  )
  expect(ran.output).toContain('DONE-42: hi-from-shell hi-from-file hi-from-other')
  expectStreams(exchanges, 3)
}

/**
 * Checks that every stream follows its API's contract, and that call ids are unique in a
 * conversation.
 */
function expectStreams(exchanges: readonly Exchange[], calls: number): void {
  const usedIds: string[] = []
  for (const { path, request, response, status } of exchanges) {
    const check = checks[path]
    if (!check) continue
    expect(status, response).toBe(200)
    if (!(JSON.parse(request) as { stream?: boolean }).stream) continue
    const checked = check(response, request, usedIds)
    expect(checked.problems, response).toEqual([])
    usedIds.push(...checked.calls.map(({ id }) => id))
  }
  expect(usedIds).toHaveLength(calls)
}

type Check = (stream: string, request: string, usedIds: readonly string[]) => CheckedStream

const checks: Readonly<Record<string, Check>> = {
  '/v1/chat/completions': (stream, request, usedIds) =>
    checkChatStream(stream, { usage: request.includes('"include_usage":true'), usedIds }),
  '/v1/responses': (stream, _, usedIds) => checkResponsesStream(stream, { usedIds }),
  '/v1/messages': (stream, _, usedIds) => checkMessagesStream(stream, { usedIds }),
}
