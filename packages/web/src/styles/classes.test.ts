import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { compile } from 'tailwindcss'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')

test('every class in the page has a style', async () => {
  const used = filesIn('.tsx').map(([path, text]) => [path, classesIn(text)] as const)
  const styles = await compile(readFileSync(join(source, 'styles/main.css'), 'utf8'), {
    base: join(source, 'styles'),
    loadStylesheet,
  })
  const compiled = styles.build(used.flatMap(([, classes]) => classes))
  const styled = new Set([compiled, ...filesIn('.css').map(([, css]) => css)].flatMap(selectorsIn))
  const unknown = used.flatMap(([path, classes]) =>
    classes
      .filter((name) => !MARKERS.test(name) && !styled.has(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})

/** Classes without a style of their own, which the styles of other elements refer to. */
const MARKERS = /^(?:group|peer)(?:\/|$)/

/** The names of the classes in a style sheet. */
function selectorsIn(css: string): readonly string[] {
  return [...css.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name]) => name!.replace(/\\(.)/g, '$1'))
}

/** The classes that a component gives its elements. Names that are computed are left out. */
function classesIn(text: string): readonly string[] {
  const found = new Set<string>()
  const visit = (node: unknown, isClass: boolean): void => {
    if (Array.isArray(node)) return node.forEach((each) => visit(each, isClass))
    if (!isNode(node)) return
    switch (node.type) {
      case 'JSXAttribute':
        return visit(node['value'], /^className$/.test((node['name'] as Named).name))
      case 'BinaryExpression':
      case 'MemberExpression':
        return
      case 'CallExpression':
        return visit(node['arguments'], false)
      case 'Property':
        return visit(node['value'], (node['key'] as Named).name === 'className')
      case 'Literal':
        if (isClass && typeof node['value'] === 'string') add(node['value'])
        return
      case 'TemplateLiteral': {
        const quasis = node['quasis'] as readonly { readonly value: { readonly raw: string } }[]
        // A word beside an expression is only a part of a name.
        if (isClass) add(quasis.map(({ value }) => value.raw).join('\0'))
        return visit(node['expressions'], isClass)
      }
      default:
        for (const each of Object.values(node)) visit(each, isClass)
    }
  }
  const add = (classes: string): void => {
    for (const name of classes.split(/\s+/))
      if (name !== '' && !name.includes('\0')) found.add(name)
  }
  visit(parseAst(text, { lang: 'tsx' }), false)
  return [...found]
}

interface Named {
  readonly name: string
}

function isNode(value: unknown): value is { readonly type: string } & Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'type' in value
}

function filesIn(ending: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => [path, readFileSync(join(source, path), 'utf8')])
}

async function loadStylesheet(
  id: string,
  base: string,
): Promise<{ path: string; base: string; content: string }> {
  const path = id.startsWith('.')
    ? join(base, id)
    : createRequire(import.meta.url).resolve(id.replace(/^(tailwindcss)$/, '$1/index.css'))
  return { path, base: dirname(path), content: readFileSync(path, 'utf8') }
}
