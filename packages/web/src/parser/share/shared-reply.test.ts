import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_TEXT } from '../limits.ts'
import { parserLink, replyInFragment } from '../parser-link.ts'
import { readShared, type SharedReply, writeShared } from './shared-reply.ts'
import { isLong, runs } from '../../../../../tests/helpers/size.ts'

const replies: fc.Arbitrary<SharedReply> = fc.record(
  {
    // Includes text that is not valid UTF-16.
    text: fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom('\ud800', '\udc00', 'a', '\0')).map((c) => c.join('')),
    ),
    protocol: fc.constantFrom('auto', 'hermes', 'drawn'),
    finish: fc.constantFrom('stop', 'stop-string', 'length', 'broken'),
    startsInReasoning: fc.boolean(),
    tools: fc.array(fc.record({ name: fc.string(), parameters: fc.constant({ type: 'object' }) })),
    drawn: fc.string(),
  },
  { requiredKeys: ['text'] },
)

test('survives a round trip as a file and as a link', async () => {
  await fc.assert(
    fc.asyncProperty(replies, async (reply) => {
      expect(readShared(writeShared(reply, 2))).toEqual({ reply })
      const { text, ...options } = reply
      const link = await parserLink(text, options)
      expect(await replyInFragment(link!.split('#')[1]!)).toEqual({ reply })
    }),
    runs(200),
  )
})

describe('a file from an unknown source', () => {
  test('is a reply if it is any text', () => {
    expect(readShared('<tool_call>')).toEqual({ reply: { text: '<tool_call>' } })
    expect(readShared('{"name": "Read"}')).toEqual({ reply: { text: '{"name": "Read"}' } })
    expect(readShared('')).toEqual({ reply: { text: '' } })
  })

  test('of another version is used as far as known, with a notice', () => {
    const content = JSON.stringify({
      type: 'toolglot-reply',
      version: 9,
      text: 'x',
      finish: 'stop',
    })
    expect(readShared(content)).toEqual({
      reply: { text: 'x', finish: 'stop' },
      problem: { type: 'version', version: '9' },
    })
  })

  test('with errors is used as far as it is valid', () => {
    const content = JSON.stringify({
      type: 'toolglot-reply',
      version: 1,
      text: 'x',
      finish: 'nope',
      tools: [{}],
      protocol: 'hermes',
      __proto__: null,
    })
    expect(readShared(content)).toEqual({
      reply: { text: 'x', protocol: 'hermes' },
      problem: { type: 'fields', fields: 'finish, tools' },
    })
  })

  test('has no text, or is not valid JSON', () => {
    expect(readShared('{"type": "toolglot-reply", "version": 1}')).toEqual({
      problem: { type: 'no-text' },
    })
    const broken = '{"type": "toolglot-reply", "version": 1, "text": "x'
    expect(readShared(broken)).toEqual({ reply: { text: broken }, problem: { type: 'not-json' } })
  })

  test('is refused if it is too long', () => {
    const long = 'x'.repeat(MAX_TEXT + 1)
    expect(readShared(long)).toEqual({ problem: { type: 'too-long', length: long.length } })
    expect(readShared(writeShared({ text: long })).problem?.type).toBe('too-long')
  })
})

describe('a link from an unknown source', () => {
  test('is refused if it expands without limit', async () => {
    const bomb = deflateRawSync(Buffer.alloc((isLong ? 64 : 16) << 20)).toString('base64url')
    expect(await replyInFragment(`reply=${bomb}`)).toEqual({ problem: { type: 'too-large' } })
  })

  test.each(['reply=', 'reply=%%%', 'reply=AAAA', 'reply=é', `reply=${'A'.repeat(1000)}`])(
    'is refused if it is corrupt: %s',
    async (fragment) => {
      expect(await replyInFragment(fragment)).toEqual({ problem: { type: 'broken' } })
    },
  )

  test('is ignored without a reply', async () => {
    expect(await replyInFragment('else')).toBeUndefined()
  })

  test('is created only for replies that fit', async () => {
    const random = Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2, 4))
    expect(await parserLink(random.join(''))).toBeUndefined()
    expect(await parserLink('a'.repeat(1_000_000))).toMatch(/^\/parser#reply=/)
  })
})
