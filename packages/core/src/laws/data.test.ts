// Law 6 on every example: in code amid prose and in closed reasoning, a call is data, whichever
// protocol's marks it has.
import { describe, expect, test } from 'vitest'
import { examples } from '../../test/examples.ts'
import { tools } from '../../test/known-tools.ts'
import { parse, printCall, type Protocol, protocols } from '../index.ts'
import type { Wire } from '../wire.ts'
import { share } from '../../../../tests/helpers/size.ts'

/** The marks around a protocol's reasoning, if both are drawn. */
function thoughts({ reasoning = [] }: Protocol): { open: string; close: string } | undefined {
  const [first] = reasoning
  const picture = (Array.isArray(first) ? first : reasoning) as Wire
  const [open, , close] = picture
  return typeof open === 'string' && typeof close === 'string' ? { open, close } : undefined
}

/** A fence or a backtick in the example would end the code around it. */
const quotable = examples.filter(({ example }) => !/[`~]/.test(example.wire))

test.each(share(quotable, 4))(
  'an example in code is text: $protocol.id, $title',
  ({ protocol, example: { wire } }) => {
    for (const options of [{ tools, protocols: protocol }, { tools }]) {
      for (const text of [
        `Write:\n\`\`\`\n${wire}\n\`\`\`\nand wait.`,
        `Write:\n\n~~~~ xml\n${wire}\n~~~~`,
        ...(wire.includes('\n\n')
          ? []
          : [`Write \`${wire.trim()}\` and wait.`, `Write \`\`${wire.trim()}\`\`.`]),
      ]) {
        expect(parse(text, options)).toMatchObject({ calls: [], text, reasoning: '' })
      }
    }
  },
)

const thinking = Object.values(protocols).flatMap((protocol) => {
  const edges = thoughts(protocol)
  return edges ? [{ protocol, ...edges }] : []
})

describe.each(share(thinking, 4))('in reasoning of $protocol.id', ({ protocol, open, close }) => {
  test('every example that does not end the reasoning is data', () => {
    const ends = [protocol.reasoning ?? []].flat(2).filter((part) => typeof part === 'string')
    const marks = ends.flatMap((end) => end.split(/\s+/)).filter((mark) => mark !== '')
    let tried = 0
    for (const { example } of examples) {
      if (marks.some((mark) => example.wire.includes(mark))) continue
      tried++
      const closed = `${open}hm ${example.wire} so${close}`
      for (const [text, finish] of [
        [`${closed}Done.`, 'stop'],
        [closed, 'length'],
      ] as const) {
        const reply = parse(text, { tools, protocols: protocol, finish })
        expect({ text, calls: reply.calls }).toEqual({ text, calls: [] })
        expect(reply.reasoning).toBe(`hm ${example.wire} so`)
      }
      // If nothing visible follows, a whole call is kept.
      const { calls, text, reasoning } = parse(closed, { tools, protocols: protocol })
      expect(text).toBe('')
      expect(reasoning.startsWith('hm ') && reasoning.endsWith(' so')).toBe(true)
      for (const call of calls) expect(call).toMatchObject({ inReasoning: true, complete: true })
    }
    expect(tried).toBeGreaterThan(80)
  })
})

describe.each(share(Object.values(protocols), 4))('$id', (protocol) => {
  test.each(['think', 'thinking'])(
    'a call in <%s> is reasoning, even if the protocol does not draw it',
    (tag) => {
      const call = printCall(protocol, { name: 'get_weather', args: { city: 'Paris' } })
      const text = `<${tag}>I might write ${call} or not.</${tag}>Hello`
      for (const options of [{ tools, protocols: protocol }, { protocols: protocol }, { tools }]) {
        expect(parse(text, options)).toMatchObject({
          calls: [],
          reasoning: `I might write ${call} or not.`,
          text: 'Hello',
        })
      }
    },
  )
})
