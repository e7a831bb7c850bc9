import { describe, expect, test } from 'vitest'
import { parse, printCall, protocols, type ProtocolId } from '../index.ts'

const IDS = [
  'qwen3-coder',
  'qwen3.5',
  'step-3.5',
  'glm',
  'glm-4.7',
  'laguna',
  'laguna-s',
  'hunyuan-v3',
  'minicpm5',
  'minimax-m2',
  'minimax-m3',
  'seed-oss',
  'step3',
  'deepseek-dsml',
  'deepseek-v3.2',
  'tool-xml',
  'morph-xml',
] as const satisfies readonly ProtocolId[]

const call = { name: 'write_file', args: { path: 'a.txt', content: 'one\ntwo', mode: 'new' } }
const text = { type: 'string' }
const tools = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: text, content: text, mode: text },
      required: ['path', 'content'],
    },
  },
]

/** A tag, with what precedes every tag of MiniMax M3. */
const TAG = /(?:\]<\]minimax\[>\[)?<[^<>]+>/g

interface Tag {
  readonly tag: string
  readonly at: number
  readonly closes: boolean
}

function tagsOf(printed: string): Tag[] {
  return [...printed.matchAll(TAG)].map(({ 0: tag, index: at }) => ({
    tag,
    at,
    closes: tag.includes('</'),
  }))
}

/** Every text that one slip makes of a call. */
function slipsOf(printed: string): (readonly [slip: string, text: string])[] {
  const all = tagsOf(printed)
  return all.flatMap(({ tag, at, closes }, i) => {
    const [before, after] = [printed.slice(0, at), printed.slice(at + tag.length)]
    const made: [string, string][] = [
      [`without ${i} ${tag}`, before + after],
      [`without the start of ${i} ${tag}`, before + tag.replace('<', '') + after],
      [`without the end of ${i} ${tag}`, before + tag.slice(0, -1) + after],
    ]
    if (closes) made.push([`with ${i} ${tag} twice`, before + tag + tag + after])
    if (closes && i < all.length - 1) {
      made.push([`with text after ${i} ${tag}`, `${before}${tag}\nI will wait.\n${after}`])
    }
    return made
  })
}

describe.each(IDS)('one slip in %s', (id) => {
  const printed = printCall(protocols[id], call)

  test.each(slipsOf(printed))('%s: that call or none', (_, slipped) => {
    const { calls, segments } = parse(slipped, { protocols: id, tools })
    for (const { name, args, complete } of calls) if (complete) expect({ name, args }).toEqual(call)
    expect(calls.length).toBeLessThan(2)
    // Nothing is lost.
    expect(segments.at(-1)?.span[1]).toBe(slipped.length)
  })
})
