import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type ParseError } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { readSettings } from '../packages/workspace/src/settings/read-settings.ts'
import { readYaml } from '../packages/workspace/src/settings/read-yaml.ts'
import { allSnippets, placeOf } from './documents.mjs'
import { root } from './ready.mjs'
import type { Snippet } from './snippets.mjs'

// JSON and YAML in documents must be valid, and snippets of settings files must match the schema.

const schema = JSON.parse(
  readFileSync(join(root, 'packages/workspace/settings.schema.json'), 'utf8'),
) as { properties: Record<string, unknown> }
const snippets = allSnippets('json', 'jsonc', 'yaml').map((each) => [placeOf(each), each] as const)
const settings = snippets.filter(([, each]) => isSettings(each))

test.each(snippets)('%s is valid', (_place, snippet) => {
  expect(read(snippet).problems).toEqual([])
})

test.each(settings)('%s matches the schema of settings', (_place, { code, language }) => {
  const outline = language === 'yaml' ? { outline: readYaml } : {}
  const options = { file: `settings.${language}`, scope: 'user', root: '/ws', ...outline } as const
  expect(readSettings(code, options)).toMatchObject({ problems: [], warnings: [] })
})

describe('settings are recognized', () => {
  test.each(['docs/settings.md', 'docs/own-tool.md', 'docs/deploy.md', 'docs/mcp.md'])(
    'in %s',
    (path) => expect(settings.some(([, each]) => each.path === path)).toBe(true),
  )
})

/** True if a block contains only keys of settings. */
function isSettings(snippet: Snippet): boolean {
  const { value } = read(snippet)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => Object.hasOwn(schema.properties, key))
}

function read({ code, language }: Snippet): { value: unknown; problems: readonly unknown[] } {
  if (language === 'yaml') {
    const document = parseDocument(code)
    return { value: document.toJS(), problems: document.errors }
  }
  const problems: ParseError[] = []
  const value: unknown = parse(code, problems, {
    disallowComments: language === 'json',
    allowTrailingComma: language === 'jsonc',
  })
  return { value, problems }
}
