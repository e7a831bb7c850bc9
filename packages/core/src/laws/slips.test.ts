// Law: a call with one error in its tags is read with a named repair or not at all. It never
// becomes a different call.
import { describe, expect, test } from 'vitest'
import { share } from '../../../../tests/helpers/size.ts'
import { collectReply, createParser, parse, printCall, protocols, type Reply } from '../index.ts'

const IDS = [
  ...(['qwen3-coder', 'qwen3.5', 'step-3.5', 'glm', 'glm-4.7', 'laguna', 'laguna-s'] as const),
  ...(['hunyuan-v3', 'minicpm5', 'minimax-m2', 'minimax-m3', 'seed-oss', 'step3'] as const),
  ...(['deepseek-dsml', 'deepseek-v3.2', 'tool-xml', 'morph-xml'] as const),
]

const call = { name: 'write_file', args: { path: 'a.txt', content: 'some text', mode: 'new' } }
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

/** A tag, including MiniMax M3's prefix. */
const TAG = /(?:\]<\]minimax\[>\[)?<[^<>]+>/g

interface Slip {
  readonly slip: string
  readonly text: string
  /** True if the error is inside the tags of an argument rather than around them. */
  readonly inside: boolean
  /**
   * True if a tag that only opens an argument is missing, so the argument may be part of the
   * preceding value.
   */
  readonly unopened: boolean
}

/** Every variant of a call with one error. */
function slipsOf(printed: string): Slip[] {
  const all = [...printed.matchAll(TAG)]
  const [from, to] = [printed.indexOf('path') - 40, printed.lastIndexOf('new') + 4]
  return all.flatMap(({ 0: tag, index: at }, i) => {
    const [before, after] = [printed.slice(0, at), printed.slice(at + tag.length)]
    const closes = tag.includes('</')
    const inside = at > from && at < to && !tag.includes(call.name)
    const made = (slip: string, made: string, unopened = false): Slip => ({
      slip: `${slip} ${i}: ${tag}`,
      text: made,
      inside,
      unopened: unopened && !closes,
    })
    const gone = before.endsWith('\n') ? after.replace(/^\n/, '') : after
    return [
      made('without', before + gone, true),
      made('without the start of', before + tag.replace('<', '') + after, true),
      made('without the end of', before + tag.slice(0, -1) + after, true),
      ...(closes ? [made('twice', before + tag + tag + after)] : []),
      ...(closes && i < all.length - 1
        ? [made('text after', `${before}${tag}\nI will wait.\n${after}`)]
        : []),
    ]
  })
}

function trimmed(args: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, String(value).trimEnd()]),
  )
}

function inCharacters(slipped: string, options: object): Reply {
  const parser = createParser(options)
  return collectReply([
    ...slipped.split('').flatMap((one) => [...parser.feed(one)]),
    ...parser.end({}),
  ])
}

describe.each(share(IDS, 3))('one error in %s', (id) => {
  const printed = printCall(protocols[id], call)
  const options = { protocols: id, tools, makeId: () => 'id' }

  test.each(slipsOf(printed))('$slip', ({ text: slipped, inside, unopened }) => {
    const reply = parse(slipped, options)
    const whole = reply.calls.filter(({ complete }) => complete)
    expect(whole.length).toBeLessThan(2)
    for (const { name, args, repairs } of whole) {
      expect(name).toBe(call.name)
      if (unopened && repairs.includes('quoted-closer')) continue
      expect(trimmed(args)).toEqual(call.args)
      if (inside) expect(repairs).not.toEqual([])
    }
    expect(inCharacters(slipped, options)).toEqual(reply)
  })

  test.each(slipsOf(printed))('$slip, then cut off: no complete call', ({ text: slipped }) => {
    const cut = slipped.slice(0, slipped.lastIndexOf('new') + 2)
    const { calls } = parse(cut, { ...options, finish: 'length' })
    expect(calls.filter(({ complete }) => complete)).toEqual([])
  })
})

/** A call of each protocol with one error, and its repair. */
const after = (tag: string, more: string) => (printed: string) => printed.replace(tag, tag + more)
const instead = (tag: string, other: string) => (printed: string) => printed.replace(tag, other)

test.each([
  ['qwen3-coder', after('</parameter>', '\nSo.\n'), 'stray-text'],
  ['qwen3-coder', after('</function>', ' So. '), 'stray-text'],
  ['qwen3-coder', after('<function=write_file>', '\nSo.\n'), 'stray-text'],
  ['qwen3-coder', after('</parameter>', '</parameter>'), 'doubled-closer'],
  ['qwen3-coder', instead('<function=write_file>', '<function=write_file'), 'damaged-opener'],
  ['qwen3-coder', instead('<function=', 'function='), 'damaged-opener'],
  ['qwen3-coder', (printed: string) => printed.replaceAll('function', 'invoke'), 'damaged-opener'],
  ['glm', after('</arg_value>', '\nSo.\n'), 'stray-text'],
  ['glm', after('</arg_value>', '</arg_value>'), 'doubled-closer'],
  ['glm', instead('<arg_value>', ''), 'missing-opener'],
  ['glm', instead('<arg_value>', 'arg_value>'), 'missing-opener'],
  ['glm', instead('</arg_key>', ''), 'missing-closer'],
  ['glm', instead('<tool_call>', ''), 'damaged-opener'],
  ['glm', instead('<tool_call>', '<user>'), 'damaged-opener'],
  ['glm', instead('</tool_call>', '</user>'), 'wrong-closer'],
  ['glm-4.7', instead('<arg_value>', ''), 'missing-opener'],
  ['glm-4.7', instead('</arg_key>', ''), 'missing-closer'],
  ['hunyuan-v3', instead('<arg_value:opensource>', ''), 'missing-opener'],
  ['minimax-m2', after('</parameter>', '\nSo.\n'), 'stray-text'],
  ['minimax-m2', instead('</parameter>\n', ''), 'missing-closer'],
  ['minimax-m3', after(']<]minimax[>[</path>', 'So.'), 'stray-text'],
  ['minimax-m3', after(']<]minimax[>[</path>', ']<]minimax[>[</path>'), 'doubled-closer'],
  ['step3', after('</steptml:invoke>', 'So.'), 'stray-text'],
  ['morph-xml', after('</path>', '\nSo.\n'), 'stray-text'],
  ['morph-xml', after('</path>', '</path>'), 'doubled-closer'],
  ['morph-xml', instead('</write_file>', '</ write_file>'), 'damaged-closer'],
] as const)('%s is read despite an error (%#)', (id, slip, repair) => {
  const slipped = slip(printCall(protocols[id], call))
  const { calls } = parse(slipped, { protocols: id, tools })
  expect(calls).toMatchObject([{ ...call, complete: true, repairs: [repair] }])
  expect(parse(slipped, { protocols: id, tools, repairs: false }).calls).not.toMatchObject([call])
})

test.each([
  ['morph-xml', '<write_file\n<path>a</path>\n<content>b</content>\n/>'],
  ['yaml-xml', '<write_file\npath: a\ncontent: b\n/>'],
] as const)('%s: an opening tag without its end, closed as an empty one', (id, wire) => {
  expect(parse(wire, { protocols: id, tools }).calls).toMatchObject([
    { args: { path: 'a', content: 'b' }, complete: true, repairs: ['damaged-opener'] },
  ])
  expect(parse(wire.slice(0, -2), { protocols: id, tools }).calls).toEqual([])
})

describe('a second error of the same kind is not repaired', () => {
  const printed = printCall(protocols['qwen3-coder'], call)

  test.each([
    ['text', printed.replaceAll('</parameter>', '</parameter>\nSo.\n')],
    ['a doubled closer', printed.replaceAll('</parameter>', '</parameter></parameter>')],
  ])('%s: no call', (_, slipped) => {
    const { calls, segments } = parse(slipped, { protocols: 'qwen3-coder', tools })
    expect(calls).toEqual([])
    expect(segments).toMatchObject([{ type: 'malformed' }])
  })
})

test('text in place of arguments is not skipped', () => {
  const wire = '<tool_call>\n<function=write_file>\nto a.txt\n</function>\n</tool_call>'
  expect(parse(wire, { protocols: 'qwen3-coder', tools }).calls).toEqual([])
})

test('an opening tag written twice is not a doubled closing tag', () => {
  const value = '<parameter name=x>y</parameter></parameter>'
  const wire = `<function=write_file><parameter=path>${value}</function>`
  expect(parse(wire, { protocols: 'qwen3-coder', tools }).calls).toEqual([])
})

test('a name that is not a tool is not a call without its opening tag', () => {
  const wire = 'city\n<arg_key>a</arg_key>\n<arg_value>b</arg_value>\n</tool_call>'
  expect(parse(wire, { protocols: 'glm', tools }).calls).toEqual([])
})

test('a value keeps text that only resembles the end of its call', () => {
  const content = 'Close with\n</parameter>\nand then\n</function>\nplease.'
  const printed = printCall(protocols['qwen3-coder'], { ...call, args: { path: 'a', content } })
  expect(parse(printed, { protocols: 'qwen3-coder', tools }).calls).toMatchObject([
    { args: { path: 'a', content }, repairs: ['quoted-closer'] },
  ])
})
