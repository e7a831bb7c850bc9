import { describe, expect, test } from 'vitest'
import { parse, printCall, printCalls, protocols, type ToolDefinition } from '../index.ts'
import { tokens } from '../read/compile.ts'
import type { Wire } from '../wire.ts'

const text = { type: 'string' }
const tools: readonly ToolDefinition[] = [
  {
    name: 'write_file',
    parameters: { type: 'object', properties: { path: text, content: text } },
  },
  { name: 'bash', parameters: { type: 'object', properties: { command: text, limit: text } } },
]

/** Protocols that put each argument between tags and cannot escape a mark. */
const tagged = ['deepseek-dsml', 'dots', 'glimmer', 'glm', 'hunyuan-v3', 'k-exaone', 'laguna']
  .concat(['minimax-m2', 'qwen3-coder', 'seed-oss', 'step3'])
  .map((id) => protocols[id]!)

/** The marks drawn after the arguments. */
function closers(wire: Wire | undefined): string[] {
  const last = wire?.at(-1)
  return typeof last === 'string' ? tokens(last) : []
}

describe.each(tagged)('a value in $id', (protocol) => {
  const outer = [...closers(protocol.call), ...closers(protocol.section)]

  test.each(outer)('may end with %s', (mark) => {
    for (const content of [`a ${mark}`, `a\n${mark}`, `a ${mark}\n${mark}`, `${mark} b`]) {
      for (const args of [
        { content, path: 'p' },
        { path: 'p', content },
      ]) {
        const printed = printCalls(protocol, [{ name: 'write_file', args }])
        for (const options of [{ protocols: protocol, tools }, { tools }]) {
          const { calls } = parse(printed, options)
          expect(calls).toMatchObject([{ args, complete: true, repairs: [] }])
        }
      }
    }
  })
})

describe.each(tagged)('a call quoted in a value of $id', (protocol) => {
  const quoted = { name: 'bash', args: { command: 'rm -rf /', limit: '1' } }
  const outside = printCalls(protocol, [quoted])

  test.each([
    outside,
    `see\n${outside}\nthere`,
    `${outside}\n${outside}`,
    printCall(protocol, quoted),
  ])('is content: %j', (content) => {
    for (const args of [
      { content, path: 'p' },
      { path: 'p', content },
    ]) {
      const text = printCalls(protocol, [{ name: 'write_file', args }])
      for (const options of [{ protocols: protocol, tools }, { protocols: protocol }, { tools }]) {
        const { calls } = parse(text, options)
        expect(calls).toMatchObject([{ name: 'write_file', args, complete: true }])
        expect(calls[0]?.repairs).toContain('quoted-argument')
      }
    }
  })

  test('is a separate call if the value has no end', () => {
    const content = 'MARK'
    const [begun] = printCall(protocol, { name: 'write_file', args: { content } }).split('MARK')
    const reply = parse(`${begun}x\n${outside}`, { protocols: protocol, tools })
    expect(reply.calls).toMatchObject([{ ...quoted, complete: true, afterMalformed: true }])
    expect(reply.text).toContain('x\n')
    const cut = parse(`${begun}x\n${outside}`, { protocols: protocol, tools, finish: 'length' })
    expect(cut.calls).toMatchObject([{ name: 'write_file', args: {}, complete: false }])
  })
})

const coder = protocols['qwen3-coder']

function write(body: string): string {
  return `<tool_call>\n<function=write_file>\n${body}</function>\n</tool_call>`
}

test.each([
  ['Use </parameter> to close.', ['quoted-closer']],
  ['Use `</parameter>`, and `</parameter>`.', ['quoted-closer']],
  ['Use <parameter=color> to open.', ['quoted-argument']],
  ['As <parameter=path>x</parameter> has it', ['quoted-argument', 'quoted-closer']],
  ['<parameter=color>x</parameter>', ['quoted-argument', 'quoted-closer']],
])('a value that mentions marks of arguments: %s', (content, repairs) => {
  const printed = printCall(coder, { name: 'write_file', args: { path: 'p', content } })
  for (const options of [{ protocols: coder, tools }, { tools }]) {
    const { calls } = parse(printed, options)
    expect(calls).toMatchObject([{ args: { path: 'p', content }, complete: true, repairs }])
  }
})

test.each([
  '<parameter=path>\nx\n</parameter> oops\n',
  '<parameter=path>\nx\n</parameter> oops\n<parameter=content>\ny\n</parameter>\n',
  '<parameter=path>\nx\n<parameter=color>\nred\n',
])('is not a call if the end of the value is unclear: %j', (body) => {
  const text = write(body)
  const reply = parse(`${text}\n${printCall(coder, { name: 'bash', args: {} })}`, {
    protocols: coder,
    tools,
  })
  expect(reply.calls.map(({ name }) => name)).toEqual(['bash'])
  expect(reply.text.startsWith(text)).toBe(true)
})

test('a mark of another argument begins it unless something contradicts that', () => {
  const text = write('<parameter=path>\nx\n<parameter=content>\ny\n')
  expect(parse(text, { protocols: coder, tools }).calls).toMatchObject([
    { args: { path: 'x', content: 'y' }, complete: true, repairs: ['missing-closer'] },
  ])
})

test('without repairs, marks are never content', () => {
  const printed = printCall(coder, { name: 'write_file', args: { content: 'a </parameter> b' } })
  expect(parse(printed, { protocols: coder, tools, repairs: false }).calls).toEqual([])
})

describe('repairs of JSON in a tag', () => {
  const list = [{ name: 'plan', parameters: { properties: { steps: { type: 'array' } } } }]
  const glm = protocols.glm
  const plan = (steps: string): string =>
    `<tool_call>plan\n<arg_key>steps</arg_key>\n<arg_value>${steps}</arg_value>\n</tool_call>`

  test.each([
    ['[{"a": 1}]', [{ a: 1 }], []],
    ["[{'a': False},]", [{ a: false }], ['single-quotes', 'python-word', 'trailing-comma']],
    ['["x\ny"]', ['x\ny'], ['raw-control']],
    ['[\\"a\\"]', ['a'], ['double-encoded']],
  ])('are recorded: %s', (steps, meant, repairs) => {
    for (const options of [{ tools: undefined }, { tools: list }]) {
      if (repairs[0] === 'double-encoded' && !options.tools) continue
      const { calls } = parse(plan(steps), {
        protocols: glm,
        ...(options.tools && { tools: list }),
      })
      expect(calls).toMatchObject([{ args: { steps: meant }, complete: true }])
      expect([...calls[0]!.repairs].sort()).toEqual([...repairs].sort())
    }
  })

  test.each(["['a']", '["a",]', '["x\ny"]', '[\\"a\\"]'])(
    'are not made if repairs are disabled: %s',
    (steps) => {
      for (const options of [{}, { tools: list }]) {
        const { calls } = parse(plan(steps), { protocols: glm, repairs: false, ...options })
        expect(calls).toMatchObject([{ args: { steps } }])
      }
    },
  )
})
