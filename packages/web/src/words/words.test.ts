import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import en from './en.json' with { type: 'json' }
import vi from './vi.json' with { type: 'json' }
import { formatterOf, type Values } from './words.ts'
import zh from './zh.json' with { type: 'json' }

const languages = { en, vi, zh } as const
const keys = Object.keys(en)

describe.each(Object.entries(languages))(
  '%s',
  (language, words: Readonly<Record<string, string>>) => {
    test('has a text for every key, and no others', () => {
      expect(Object.keys(words).sort()).toEqual([...keys].sort())
      expect(keys.filter((key) => words[key]!.trim() === '')).toEqual([])
    })

    test('every text is valid, and has the same values as in English', () => {
      for (const key of keys)
        expect({ key, values: valuesIn(words[key]!) }).toEqual({
          key,
          values: valuesIn((en as Readonly<Record<string, string>>)[key]!),
        })
    })

    test('every plural has a form for each number', () => {
      const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      for (const key of keys)
        for (const forms of pluralsIn(words[key]!))
          for (const category of wanted)
            expect({ key, forms }).toMatchObject({
              forms: { [category]: expect.anything() as unknown },
            })
    })
  },
)

/** A compiled text: pieces, values `[name]`, and choices `[name, type, forms]`. */
type Compiled = string | readonly (string | readonly [string, string?, (object | string)?])[]

/** The names of the values in a text, with their types. */
function valuesIn(text: string): string[] {
  const found = new Set<string>()
  const visit = (message: Compiled): void => {
    if (typeof message === 'string') return
    for (const piece of message) {
      if (typeof piece === 'string') continue
      const [name, , forms] = piece
      // `#` stands for the number of the plural around it.
      if (name !== '#') found.add(name)
      if (typeof forms !== 'object') continue
      for (const [form, inner] of Object.entries(forms))
        if (form !== 'offset') visit(inner as Compiled)
    }
  }
  visit(compileMessage(text) as Compiled)
  return [...found].sort()
}

function pluralsIn(text: string): object[] {
  const compiled = compileMessage(text) as Compiled
  if (typeof compiled === 'string') return []
  return compiled.flatMap((piece) =>
    typeof piece !== 'string' && piece[1] === 'plural' ? [piece[2] as object] : [],
  )
}

describe('the page', () => {
  const folder = join(import.meta.dirname, '..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) => ({ path, ...read(join(folder, path)) }))

  test('uses every key', () => {
    const literals = new Set(files.flatMap(({ strings }) => strings))
    const patterns = files.flatMap(({ templates }) => templates)
    const isUsed = (key: string): boolean =>
      literals.has(key) || patterns.some((pattern) => pattern.test(key))
    expect(keys.filter((key) => !isUsed(key))).toEqual([])
  })

  test('contains no visible text in its code', () => {
    const found = files.flatMap(({ path, visible }) =>
      visible
        .filter((text) => !ALLOWED.test(text))
        .map((text) => `${relative('.', path)}: ${text}`),
    )
    expect(found).toEqual([])
  })
})

/**
 * Names and keys are the same in every language, as are code points, units, commands, rules and
 * addresses.
 */
const ALLOWED =
  /^(?:Toolglot|toolglot [a-z -]+|U\+|Esc|Ctrl|Shift|Alt|Enter|Tab|⌘|[A-Z?/]|ms|s|KB|MB|Bash\(.+\)|http:\S+|(?:[a-z.]+\.[a-z]+ ?)+)$/

/** Attributes that users see or hear. */
const SPOKEN = new Set(['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label'])

interface Code {
  /** Every string in the file. */
  readonly strings: readonly string[]
  /** Every template in the file that begins with part of a key, as a pattern. */
  readonly templates: readonly RegExp[]
  /** Texts visible to the user. */
  readonly visible: readonly string[]
}

type Node = { readonly type: string } & Readonly<Record<string, unknown>>

function read(path: string): Code {
  const strings: string[] = []
  const templates: RegExp[] = []
  const visible: string[] = []
  const show = (text: string): void => {
    const words = text.trim()
    if (/\p{L}/u.test(words)) visible.push(words)
  }
  /** Collects a displayed value, including each alternative. */
  const showValue = (value: unknown): void => {
    if (!isNode(value)) return
    if (value.type === 'Literal' && typeof value['value'] === 'string') show(value['value'])
    if (value.type === 'TemplateLiteral') for (const piece of quasisOf(value)) show(piece)
    for (const key of ['expression', 'consequent', 'alternate', 'left', 'right'])
      if (/^(?:JSXExpressionContainer|ConditionalExpression|LogicalExpression)$/.test(value.type))
        if (!(key === 'left' && value['operator'] === '&&')) showValue(value[key])
  }
  const visit = (node: Node): void => {
    if (node.type === 'Literal' && typeof node['value'] === 'string') strings.push(node['value'])
    if (node.type === 'TemplateLiteral') {
      const quasis = quasisOf(node)
      if (quasis[0]!.includes('.'))
        templates.push(new RegExp(`^${quasis.map(escape).join('[\\w-]+')}$`))
    }
    if (node.type === 'JSXText') show(String(node['value']))
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node['children'] as readonly unknown[])
        if (isNode(child) && child.type === 'JSXExpressionContainer') showValue(child)
    if (node.type === 'JSXAttribute') {
      const { name } = node['name'] as { readonly name: unknown }
      if (typeof name === 'string' && SPOKEN.has(name)) showValue(node['value'])
    }
    for (const value of Object.values(node))
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each)
  }
  visit(parseAst(readFileSync(path, 'utf8'), { lang: 'tsx' }) as unknown as Node)
  return { strings, templates, visible }
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

function quasisOf(node: Node): string[] {
  return (node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]).map(
    ({ value }) => value.cooked,
  )
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

const number = new Intl.NumberFormat('en')
const plurals = new Intl.PluralRules('en')
const format = (text: string, values?: Values): string =>
  formatterOf(text, {
    number: (value) => number.format(value),
    pluralOf: (value) => plurals.select(value),
  })(values)

test.each([
  ['Saved', undefined, 'Saved'],
  ['Open {folder}', { folder: '/a' }, 'Open /a'],
  ['{a} of {b}', { a: 1, b: 2000 }, '1 of 2,000'],
  ['{a} of {b}', { a: '1', b: '2000' }, '1 of 2000'],
  ['{count, plural, one {# call} other {# calls}}.', { count: 1 }, '1 call.'],
  ['{count, plural, one {# call} other {# calls}}.', { count: 1200 }, '1,200 calls.'],
  ['{count, plural, =0 {none} one {A call} other {# calls}}', { count: 0 }, 'none'],
  [
    '{count, plural, one {{tool} once} other {{tool} # times}}',
    { count: 2, tool: 'Read' },
    'Read 2 times',
  ],
  // Values are not parsed as patterns.
  ['#{run}', { run: '#' }, '##'],
])('%s', (text, values, expected) => {
  expect(format(text, values)).toBe(expected)
})

describe('inserts values unchanged', () => {
  test.each([
    String.raw`rm \u0041 \x41`,
    '{name}',
    '{count, plural, other {#}}',
    "it's",
    '<b>',
    '\u202e',
  ])('%j', (what) => {
    expect(format('Review: {what}', { what })).toBe(`Review: ${what}`)
  })
})
