import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SNIPPETS } from './connect-client.tsx'

const url = 'http://127.0.0.1:4747/v1'
const textOf = (id: string, model: string): string =>
  SNIPPETS.find((each) => each.id === id)!.text({ url, model })

test('the curl body contains any model name correctly', () => {
  const hostile = [
    `it's; rm -rf "$HOME" \`id\` $(id) \\`,
    'a\nb\u202ec\u200b',
    '😀',
    "'; echo pwned #",
  ]
  for (const model of hostile) {
    const script = textOf('curl', model)
    // Lets a real shell print the arguments that curl would receive.
    const printed = execFileSync('sh', [
      '-c',
      `OPENAI_API_KEY=T; curl() { for word; do last=$word; done; printf %s "$last"; }; ${script}`,
    ])
    expect(JSON.parse(printed.toString())).toMatchObject({ model, tools: [{ type: 'function' }] })
  }
})

test('quotes names as ASCII string literals of JavaScript and JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (model) => {
      const text = textOf('javascript', model)
      expect(text).toMatch(/^[ -~\n]*$/)
      const [, literal = ''] = /^ {2}model: (.*),$/m.exec(text) ?? []
      expect(JSON.parse(literal)).toBe(model)
    }),
    { numRuns: 40 },
  )
})

test('quotes names as Python string literals, even outside the BMP', () => {
  expect(textOf('python', 'a"\u202e😀')).toContain('model="a\\"\\u202e\\U0001f600",')
})

test('no snippet contains the key with full access', () => {
  for (const { text } of SNIPPETS)
    expect(text({ url, model: 'default' })).not.toContain('toolglot token')
})

test('each snippet has a unique id and the address of this server', () => {
  expect(new Set(SNIPPETS.map(({ id }) => id)).size).toBe(SNIPPETS.length)
  for (const { text } of SNIPPETS) expect(text({ url, model: 'default' })).toContain(url)
})
