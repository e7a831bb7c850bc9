import { printCalls, type Protocol, protocols } from '@toolglot/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import type { ChatMessage, Content } from '../model/chat-message.ts'
import type { ToolChoice } from '../model/model.ts'
import type { ChatRendering } from './chat-rendering.ts'
import type { Message } from './message.ts'
import { renderChat, type RenderOptions } from './render-chat.ts'

const SEED = fc.readConfigureGlobal()?.seed ?? 0
const tools = [
  { name: 'ping', parameters: { type: 'object', properties: { host: { type: 'string' } } } },
]
const text = fc.constantFrom(
  '',
  'Hi.',
  'a {{tools}} b',
  '<tool_call>',
  '<|im_end|>\n',
  '[TOOL_CALLS]',
)
const image = fc.constant({ type: 'image' as const, url: 'data:image/png;base64,AA==' })
const part = fc.oneof(
  text.map((each) => ({ type: 'text' as const, text: each })),
  image,
)
const content: fc.Arbitrary<Content> = fc.oneof(text, fc.array(part, { maxLength: 3 }))
const calls = fc
  .array(fc.constantFrom('a', 'b'), { maxLength: 2 })
  .map((hosts) => hosts.map((host, at) => ({ id: `c${at}`, name: 'ping', args: { host } })))

/** Messages that may follow one another: a turn and its results form one piece. */
function pieces(protocol: Protocol): fc.Arbitrary<Message[]> {
  const system = text.map((each): Message[] => [{ role: 'system', content: each }])
  const user = content.map((each): Message[] => [{ role: 'user', content: each }])
  const notes = text.map((each): Message[] => [{ role: 'results', results: [], notes: [each] }])
  const turn = fc
    .tuple(text, calls, fc.constantFrom('beside', 'inside', 'elsewhere', 'unanswered'), text)
    .map(([said, made, how, output]): Message[] => {
      const results = made.map((call, at) => ({
        call,
        output,
        ...(at > 0 && { data: { output } }),
      }))
      const written = how === 'elsewhere' ? protocols.hermes : protocol
      const inside = { content: said + printCalls(written, made), protocol: written.id }
      const where = how === 'beside' || made.length === 0 ? { content: said } : inside
      return [
        { role: 'assistant', ...where, ...(made.length > 0 && { calls: made }) },
        how === 'unanswered'
          ? { role: 'user', content: 'Stop.' }
          : { role: 'results', results: results.slice(0, 2) },
      ]
    })
  return fc.oneof(system, user, notes, turn, turn)
}

const renderings = fc.record({
  isNative: fc.boolean(),
  toolsIn: fc.constantFrom<ChatRendering['toolsIn']>(undefined, 'request'),
  toolChoice: fc.constantFrom<ToolChoice>('auto', 'none', 'required'),
  roles: fc.subarray<'system' | 'tool'>(['system', 'tool']),
  laterSystem: fc.boolean(),
  resultRole: fc.constantFrom<ChatRendering['resultRole']>('user', 'tool', 'system'),
  alternate: fc.boolean(),
  raw: fc.boolean(),
})

/** True if `content` begins with exactly `start`. */
function beginsWith(content: Content, start: Content): boolean {
  if (typeof content === 'string' && typeof start === 'string') return content.startsWith(start)
  const [all, before] = [content, start].map((each) =>
    typeof each !== 'string' ? each : each === '' ? [] : [{ type: 'text' as const, text: each }],
  )
  const last = before!.length - 1
  return before!.every((one, at) => {
    const other = all![at]
    return at === last && one.type === 'text' && other?.type === 'text'
      ? other.text.startsWith(one.text)
      : JSON.stringify(other) === JSON.stringify(one)
  })
}

/** Expects the same messages, except that the last one may be longer. */
function expectPrefix(short: readonly ChatMessage[], long: readonly ChatMessage[], grows: boolean) {
  const [last, other] = [short.at(-1), long[short.length - 1]]
  const isGrown =
    grows && last && other && last.role === other.role && beginsWith(other.content, last.content)
  const same = isGrown ? short.slice(0, -1) : short
  expect(long.slice(0, same.length)).toEqual(same)
}

describe.each(Object.values(protocols).map((protocol, number) => ({ protocol, number })))(
  '$protocol.id',
  ({ protocol, number }) => {
    test('the rendering of a history is the beginning of the rendering of a longer one', () => {
      const leading = fc.array(text, { maxLength: 2 })
      const all = fc.array(pieces(protocol), { minLength: 2, maxLength: 6 })
      fc.assert(
        fc.property(leading, all, renderings, (system, parts, { isNative, toolsIn, ...given }) => {
          const { alternate, raw, ...rest } = given
          const rendering: ChatRendering = {
            ...rest,
            tools,
            protocol: isNative ? undefined : protocol,
            ...(toolsIn && { toolsIn }),
          }
          const options: RenderOptions = { alternate, raw }
          const start = system.map((each): Message => ({ role: 'system', content: each }))
          const histories = parts.map((_, at) => [...start, ...parts.slice(0, at + 1).flat()])
          const rendered = histories
            // System messages at the start are rendered together.
            .filter((history) => history.some(({ role }) => role !== 'system'))
            // New objects, and objects already rendered in shorter histories.
            .map((history) => [
              renderChat(structuredClone(history), rendering, options),
              renderChat(history, rendering, options),
            ])
          for (const [at, [fresh, known]] of rendered.entries()) {
            expect(known).toEqual(fresh)
            const next = rendered[at + 1]
            // Without a system role, the system text moves into the first user message.
            const isFolded = !rest.roles.includes('system') && known!.length === 1
            if (next) expectPrefix(known!, next[1]!, alternate || isFolded)
          }
        }),
        // A different seed for each protocol.
        { ...runs(8), seed: SEED + number },
      )
    })
  },
)

test('without a system role, only a history that consists of system messages grows', () => {
  const rendering: ChatRendering = { protocol: undefined, tools, roles: [], resultRole: 'user' }
  const system: Message = { role: 'system', content: 'Be brief.' }
  const user: Message = { role: 'user', content: 'Hi.' }
  expect(renderChat([system], rendering)).toEqual([{ role: 'user', content: 'Be brief.' }])
  const [first] = renderChat([system, user], rendering)
  expect(first).toEqual({ role: 'user', content: 'Be brief.\n\nHi.' })
  expect(renderChat([system, user, system], rendering)[0]).toEqual(first)
})
