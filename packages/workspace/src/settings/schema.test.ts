import { readFileSync } from 'node:fs'
import { parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { readSettings } from './read-settings.ts'
import { readYaml } from './read-yaml.ts'
import type { SettingsFile } from './settings-file.ts'

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
}

const at = (path: string): URL => new URL(`../../../../${path}`, import.meta.url)
const schema = JSON.parse(
  readFileSync(at('packages/workspace/settings.schema.json'), 'utf8'),
) as Schema
const document = readFileSync(at('docs/settings.md'), 'utf8')
const block = (language: string): string =>
  document.split(`\`\`\`${language}\n`)[1]!.split('```')[0]!

/** True if a value matches a schema. Supports only the keywords used in our schema. */
function fits(value: unknown, given: Schema): boolean {
  const { type, enum: words, pattern, properties = {}, additionalProperties, items } = given
  if (words && !words.includes(value)) return false
  if (given.anyOf && !given.anyOf.some((each) => fits(value, each))) return false
  const { minimum = -Infinity, maximum = Infinity } = given
  if (typeof value === 'number' && (value < minimum || value > maximum)) return false
  if (type === 'integer') return Number.isInteger(value)
  const isList = Array.isArray(value)
  if (type && type !== (isList ? 'array' : value === null ? 'null' : typeof value)) return false
  if (pattern && !new RegExp(pattern).test(String(value))) return false
  if (isList) return !items || value.every((item) => fits(item, items))
  if (typeof value !== 'object' || value === null) return true
  if (Object.keys(value).length < (given.minProperties ?? 0)) return false
  if (given.required?.some((key) => !Object.hasOwn(value, key))) return false
  return Object.entries(value).every(([key, member]) => {
    const others = properties[key] ?? additionalProperties
    return typeof others === 'object' ? fits(member, others) : others !== false
  })
}

function read(text: string): SettingsFile {
  return readSettings(text, { file: 'settings.json', scope: 'user', root: '/ws' })
}

test('the example in the documentation is valid for the reader and the schema', () => {
  const settings = read(block('jsonc'))
  expect(settings).toMatchObject({ problems: [], warnings: [], mode: 'default' })
  expect(settings.rules).toHaveLength(8)
  expect(fits(parse(block('jsonc')), schema)).toBe(true)

  const options = { file: 'rules.yaml', scope: 'cli', root: '/ws', outline: readYaml } as const
  expect(readSettings(block('yaml'), options)).toMatchObject({
    rules: [{ text: 'Bash(git:*)' }, { text: 'Read(.env)' }],
    problems: [],
  })
})

describe('the schema and the reader agree', () => {
  test.each([
    '{}',
    '{"permissions": {}}',
    '{"permissions": {"allow": [], "ask": [], "deny": ["Read"]}}',
    '{"permissions": {"mode": "plan"}}',
    '{"permissions": {"defaultMode": "acceptEdits", "additionalDirectories": [".."]}}',
    '{"permissions": {"disableBypassPermissionsMode": "disable", "disableAutoMode": "disable"}}',
    '{"protocols": ["./a.ts"], "$schema": "x"}',
    '{"tools": ["./a.ts"]}',
    '{"tools": "./a.ts"}',
    '{"tools": [1]}',
    '{"mcpServers": {"a": {"command": "a", "env": {"B": "c"}}}}',
    '{"mcpServers": {"a": {"command": "a", "env": ["B"]}}}',
    '[]',
    'null',
    '{"permissions": []}',
    '{"permissions": {"alow": []}}',
    '{"permissions": {"deny": "Read"}}',
    '{"permissions": {"deny": [1]}}',
    '{"permissions": {"deny": [" "]}}',
    '{"permissions": {"mode": "bypass"}}',
    '{"permissions": {"roots": ".."}}',
    '{"protocols": "./a.ts"}',
    '{"protocols": [""]}',
    '{"deny": []}',
    '{"languageServers": [{"name": "a", "command": ["a"], "endings": [".a"], "markers": ["b"]}]}',
    '{"languageServers": [{"name": "a", "command": "a", "endings": [".a"]}]}',
    '{"languageServers": [{"name": "a", "command": ["a"], "endings": [".a"], "x": 1}]}',
    '{"languageServers": {}}',
    '{"unknown": 1}',
    '{"retention": false}',
    '{"retention": {"days": 90, "runs": 1000}}',
    '{"retention": {"days": 1}}',
    '{"retention": {"runs": 1}}',
    '{"retention": true}',
    '{"retention": null}',
    '{"retention": 90}',
    '{"retention": {}}',
    '{"retention": []}',
    '{"retention": {"days": 0}}',
    '{"retention": {"days": -1, "runs": 2}}',
    '{"retention": {"days": 1.5}}',
    '{"retention": {"days": "90"}}',
    '{"retention": {"days": 90, "weeks": 1}}',
    '{"sandbox": {"read": ["/a", "~", "~/b"], "write": []}}',
    '{"sandbox": {"read": ["a"]}}',
    '{"sandbox": {"write": ["~b"]}}',
    '{"sandbox": {"write": "/a"}}',
    '{"server": {}}',
    '{"server": {"port": 4747, "hosts": ["gateway.example.com", "[::1]:80"], "origins": ["https://a.example"]}}',
    '{"server": {"limits": {"connections": 1, "requestsPerSecond": 0, "burst": 1, "bodySize": 1}}}',
    '{"server": {"limits": {"stalledTimeout": 1, "bodyTimeout": 86400000}}}',
    '{"server": []}',
    '{"server": {"port": 0}}',
    '{"server": {"port": 65536}}',
    '{"server": {"hosts": "a"}}',
    '{"server": {"hosts": ["*.example.com"]}}',
    '{"server": {"hosts": ["https://a.example"]}}',
    '{"server": {"origins": ["a.example"]}}',
    '{"server": {"origins": ["https://a.example/"]}}',
    '{"server": {"token": "x"}}',
    '{"server": {"limits": {"connections": 0}}}',
    '{"server": {"limits": {"bodyTimeout": 86400001}}}',
    '{"server": {"limits": 5}}',
    '{"modelProtocols": {}}',
    '{"modelProtocols": {"ollama/qwen3:8b": "hermes", "http://127.0.0.1:1/v1#a.b": "native"}}',
    '{"modelProtocols": []}',
    '{"modelProtocols": "hermes"}',
    '{"modelProtocols": {"ollama/a": " "}}',
    '{"modelProtocols": {"ollama/a": 5}}',
    '{"gateway": {}}',
    '{"gateway": {"models": {}, "streamArguments": true}}',
    '{"gateway": {"models": {"*": {"model": "default"}, "a b": {"model": "ollama/a", "native": false}}}}',
    '{"gateway": {"models": {"a": {"model": "http://127.0.0.1:1/v1#a", "protocol": "hermes", "toolsIn": "request"}}}}',
    '{"gateway": {"models": {"a": {"model": "script", "contextTokens": 1, "images": true, "prefill": true}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "temperature": 0.2, "topP": 1, "maxOutputTokens": 9}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "body": {"top_k": 20}, "streamArguments": true}}}}',
    '{"gateway": true}',
    '{"gateway": {"models": []}}',
    '{"gateway": {"models": {"a": "ollama/a"}}}',
    '{"gateway": {"models": {"a": {}}}}',
    '{"gateway": {"models": {"a": {"model": "qwen3"}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "protocol": "auto"}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "protocol": "./a.ts"}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "toolsIn": "body"}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "temperature": -1}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "topP": 2}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "body": "x"}}}}',
    '{"gateway": {"models": {"a": {"model": "ollama/a", "url": "x"}}}}',
    '{"gateway": {"streamArguments": "yes"}}',
  ])('%s', (text) => {
    const { problems, warnings } = read(text)
    expect(fits(JSON.parse(text), schema)).toBe(problems.length + warnings.length === 0)
  })

  test('cover every key', () => {
    for (const [key, { properties = {} }] of Object.entries(schema.properties!)) {
      const said = read(`{"${key}": 5}`).warnings.map(({ reason }) => reason)
      expect(said.filter((reason) => reason.startsWith('unknown setting'))).toEqual([])
      for (const inner of Object.keys(properties)) {
        const reasons = read(`{"${key}": {"${inner}": 5}}`).problems.map(({ reason }) => reason)
        expect(reasons.join()).not.toContain('unknown setting')
      }
    }
  })
})
