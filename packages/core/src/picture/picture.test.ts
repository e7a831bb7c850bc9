import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkProtocol } from '../check/check.ts'
import { parse, printPrompt } from '../index.ts'
import { readPicture } from './picture.ts'

const guide = readFileSync(new URL('../../../../docs/own-protocol.md', import.meta.url), 'utf8')
const arrow = /```ts\n([^]*?)```/.exec(guide)![1]!

test("the guide's protocol keeps the laws", () => {
  const { protocol, examples, problems } = readPicture(arrow)
  expect(problems).toEqual([])
  const broken = checkProtocol(protocol!, { examples, texts: 20 }).filter(
    ({ failures }) => failures.length > 0,
  )
  expect(broken).toEqual([])
  expect(Object.keys(examples)).toEqual(['one call', 'marks in an argument'])
  expect(printPrompt(protocol!, [{ name: 'ping' }, { name: 'say' }])).toContain(
    'Tools: ping, say\n',
  )
  expect(parse('=> ping {"n": 1} <=', { protocols: protocol! }).calls[0]!.args).toEqual({ n: 1 })
})

const head = `import { args, each, key, name, output, value, wire } from '@toolglot/core/draw'\n`
const body = {
  id: `'arrow'`,
  about: `'Ours'`,
  call: 'wire`=> ${name} ${args} <=`',
  result: 'wire`<result>${output}</result>`',
  prompt: '({ tools, example }) => `${tools.map((tool) => tool.name).join()} ${example}`',
}
const file = (parts: object, before = ''): string =>
  `${head}${before}\nexport default {\n${Object.entries({ ...body, ...parts })
    .map(([key, value]) => `  ${key}: ${value},\n`)
    .join('')}}\n`

const helpers = (name: string): string => `import { ${name} } from '../prompt/any.ts'`

describe('supported syntax', () => {
  test.each<[what: string, source: string]>([
    ['nothing special', file({})],
    ['comments', file({ about: `/* a */ 'Ours' /* b */` }, '/** c */\n// d')],
    [
      'types',
      file({}, `type A = readonly string[] | 'x'\nconst a: Map<string, A[]> = [] as const`),
    ],
    [
      'shorthand and spread',
      file({ '...shared': ', about' }, '')
        .replace('...shared: , about,', '...shared, about,')
        .replace(/ {2}about: .*\n/, '')
        .replace(
          'export',
          `const about = 'x'\nconst shared = { separator: '' } satisfies object\nexport`,
        ),
    ],
    [
      'a protocol that is spread',
      `import { hermes } from '@toolglot/core/protocols/hermes'\nexport default { ...hermes, id: 'mine', about: 'x' }`,
    ],
    [
      'all protocols by id',
      `import { protocols } from '@toolglot/core'\nexport default { ...protocols['glm-4.7'], id: 'mine' }`,
    ],
    [
      'functions',
      file(
        { variants: `['a', 'b'].map(tag)` },
        'const tag = (mark: string): Wire => wire`<${mark}>${name} ${args}</${mark}>`',
      ),
    ],
    [
      'lists of pictures',
      file({ variants: "[['[', ...inner, ']']]" }, 'const inner = wire`${name}|${args}`'),
    ],
    [
      'escapes',
      file({
        separator: String.raw`'\n\u{1f600}\x41\u0041\
'`,
      }),
    ],
    [
      'a default export of a name',
      file({}).replace('export default', 'const mine =') + 'export default mine\n',
    ],
    [
      'exported by name',
      file({}).replace('export default', 'export const mine: Protocol<string> ='),
    ],
    [
      'exported in braces',
      file({}).replace('export default', 'const mine =') + 'export { mine as default }\n',
    ],
    [
      'examples exported under another name',
      `${file({})}const mine = { a: { wire: '' } }\nexport { mine as examples }\n`,
    ],
    ['line ends of Windows', file({}).replaceAll('\n', '\r\n')],
  ])('%s', (_, source) => {
    const { protocol, problems } = readPicture(source)
    expect(problems).toEqual([])
    expect(protocol).toBeDefined()
  })

  test.each<[prompt: string, text: string]>([
    ['() => "fixed"', 'fixed'],
    [`(context) => context.example + '!'`, 'EXAMPLE!'],
    [`({ tools: all }) => { const names = all.map((t) => t.name); return names.join('|') }`, 'a|b'],
    [
      `({ tools }) => tools.map(({ name, description }) => \`\${name}: \${description ?? 'none'}\`).join('; ')`,
      'a: A; b: none',
    ],
    [`({ tools }) => tools.length > 1 ? 'many' : 'one'`, 'many'],
    [`({ tools }) => JSON.stringify(tools)`, '[{"name":"a","description":"A"},{"name":"b"}]'],
    [`({ tools }) => JSON.stringify(tools.slice(1), null, 2)`, '[\n  {\n    "name": "b"\n  }\n]'],
    [
      `({ tools }) => tools.filter((t) => t.description !== undefined).map((t, i) => i + ' ' + t.name).join()`,
      '0 a',
    ],
    [`({ tools }) => '' + tools[0].parameters?.properties.city.type`, 'undefined'],
    [`({ tools }) => tools[0].name.toUpperCase() + tools[1]?.parameters?.type`, 'Aundefined'],
  ])('the prompt %s', (prompt, text) => {
    const { protocol, problems } = readPicture(file({ prompt }))
    expect(problems).toEqual([])
    const tools = [{ name: 'a', description: 'A' }, { name: 'b' }]
    expect(protocol!.prompt!({ tools, example: 'EXAMPLE' })).toBe(text)
  })
})

describe('problems are reported with their places', () => {
  test.each<[source: string, ...found: [message: string | RegExp, at: string][]]>([
    [
      file({ call: 'eval("1")' }),
      [/^`eval` is not allowed in a protocol file\. .*Known: /, 'eval'],
    ],
    [file({ call: 'wire`${nam}`' }), [/Did you mean `name`\?/, 'nam']],
    [file({ call: 'wire`${text}`' }), [/^`text` is not imported: `import \{ text \}/, 'text']],
    [file({ call: 'wire`${value}`' }), ['Call this function: `value(…)` is the hole.', 'value']],
    [
      file({ call: 'wire`${value({ wrds: 1 })}`' }),
      [/`wrds` is not one of them\. Did you mean `words`\?/, '{ wrds: 1 }'],
    ],
    [file({ call: 'wire`${each(1)}`' }), [/^`each` expects a picture/, '1']],
    [file({ call: 'wire`a\u2060${name}`' }), [/U\+2060/, 'wire`a\u2060${name}`']],
    [file({ calls: '1' }), [/`calls` is not a part of a protocol\. Did you mean `call`\?/, '1']],
    [file({ id: "'Arrow!'" }), [/^`id` must be a name of lowercase/, "'Arrow!'"]],
    [file({}).replace(/ {2}result.*\n/, ''), ['The protocol has no `result`.', '}']],
    [
      file({ prompt: '({ tools }) => tools.map((t) => t.nme).join()' }),
      [/^`nme` is not a member of a tool\. Did you mean `name`\?/, 'nme'],
    ],
    [
      file({ prompt: '({ tool }) => "x"' }),
      [
        /`tool` is not a member of the argument of a prompt\. Did you mean `tools`\?/,
        '({ tool }) => "x"',
      ],
    ],
    [file({ prompt: '({ tools }) => fetch(tools)' }), [/^`fetch` is not allowed/, 'fetch']],
    [file({ prompt: "'text'" }), [/^`prompt` must be a function/, "'text'"]],
    [file({ prompt: 'wire' }), ['Draw with a template: wire`…`.', 'wire']],
    [file({ prompt: 'each' }), [/^`each` expects a picture/, 'each']],
    [file({ prompt: 'name' }), ['`prompt` must be a function.', 'name']],
    [
      file({ prompt: '({ tools }) => cohereTools(tools)' }, helpers('cohereTools')),
      ['`cohereTools` expects the argument of a prompt.', 'tools'],
    ],
    [
      file({ prompt: '({ tools }) => bareLines(tools[0])' }, helpers('bareLines')),
      ['`bareLines` expects a list of tools.', 'tools[0]'],
    ],
    [
      file({ prompt: 'functionTags' }, helpers('functionTags')),
      ['`functionTags` expects a string.', 'functionTags'],
    ],
    [
      file(
        { prompt: '({ tools }) => tools.map(gemmaDeclaration).join()' },
        helpers('gemmaDeclaration'),
      ),
      [/^`gemmaDeclaration` takes several arguments/, 'gemmaDeclaration'],
    ],
    [file({ call: 'wire`${value({}, 1)}`' }), ['`value` takes one argument.', '1']],
    [
      file({ about: "'x'[{ toString: 1 }]()" }),
      ['This must be the name of a member.', '{ toString: 1 }'],
    ],
    [file({ about: "'x', about: 'y'" }), ['`about` is defined twice.', 'about']],
    [file({}) + 'export default 1\n', ['The file already has a default export.', 'default']],
    [
      file({ about: 'later' }) + "const later = 'x'\n",
      ['`later` is used before it is declared.', 'later'],
    ],
    [
      file({}) + 'const x = 1\nexport { x as default }\n',
      ['The file already has a default export.', 'x'],
    ],
    [
      file({}, "const a = later\nconst later = 'x'"),
      ['`later` is used before it is declared.', 'later'],
    ],
    [file({}, 'export const examples = []'), ['`examples` must be an object.', 'examples']],
    [file({ models: '[/(/]' }), [/^This is not a regular expression/, '/(/']],
    [file({ about: "''.constructor" }), [/^`constructor` is not allowed/, 'constructor']],
    [file({ about: '({}).__proto__' }), [/^`__proto__` is not allowed/, '__proto__']],
    [
      file({ about: "''['const' + 'ructor']" }),
      [/^`constructor` is not allowed/, "'const' + 'ructor'"],
    ],
    [
      file({ __proto__x: '1' }).replace('__proto__x', '__proto__'),
      ['`__proto__` cannot be a key.', '__proto__'],
    ],
    [file({ about: 'this' }), [/^`this` is not allowed/, 'this']],
    [file({ about: 'new Function()' }), [/^`new` is not allowed/, 'new']],
    [file({}, 'while (true) {}'), [/^A protocol file may contain only/, 'while']],
    [file({}, `import fs from 'node:fs'`), [/^Use named imports/, 'fs']],
    [
      file({}, `import { readFileSync } from 'node:fs'`),
      [/^`node:fs` is not a module/, "'node:fs'"],
    ],
    [
      file({}, `import { parse } from '@toolglot/core'`),
      [/^`parse` is not exported by this module/, 'parse'],
    ],
    [file({}, `import { Protocol } from '@toolglot/core'`), [/^`Protocol` is a type/, 'Protocol']],
    [file({}, 'const a = 1\nconst a = 2'), ['`a` is declared twice.', 'a']],
    [file({}, `const a = 'x`), ['This string is not closed on its line.', `'x`]],
    [
      file({}, 'const a = §\nconst b = 2 /\nconst c = d'),
      ['Unexpected `§`.', '§'],
      [/^Expected a value/, 'const'],
      ['Unexpected `/`.', '/'],
      [/^`d` is not/, 'd'],
    ],
    [
      file({}, 'export const examples = { a: { wire: 1 }, b: { wire: "x" } }'),
      ['This example expects `wire` to be a string.', '{ wire: 1 }'],
    ],
    [
      file({}).replace('export default', 'const mine ='),
      ['`mine` is not exported. Add `export default mine`.', 'mine'],
    ],
    [head, [/^The file exports no protocol/, '']],
    ['', [/^The file exports no protocol/, '']],
  ])('%#', (source, ...expected) => {
    const { problems } = readPicture(source)
    expect(problems).toHaveLength(expected.length)
    for (const [at, [message, where]] of expected.entries()) {
      const { from, to, message: found } = problems[at]!
      expect(source.slice(from, to)).toBe(where)
      expect(found).toMatch(message)
    }
  })

  test('a protocol is read without its invalid parts', () => {
    const { protocol, problems } = readPicture(
      file({ variants: '[eval, wire`${name}: ${args}`]', models: '[1]' }),
    )
    expect(problems).toHaveLength(2)
    expect(protocol!.variants).toHaveLength(1)
    expect(protocol!.models).toBeUndefined()
  })
})
