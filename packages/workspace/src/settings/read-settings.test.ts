import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { readJson, readSettings } from './read-settings.ts'
import { readYaml } from './read-yaml.ts'
import type { SettingsFile } from './settings-file.ts'

const place = { file: '/ws/.toolglot/settings.json', scope: 'project', root: '/ws' } as const
const read = (text: string): SettingsFile => readSettings(text, place)
const fromYaml = (text: string): SettingsFile => readSettings(text, { ...place, outline: readYaml })

const reasons = ({ problems }: SettingsFile): [number | undefined, string][] =>
  problems.map(({ line, reason }) => [line, reason])

test('reads all parts of a file with their places', () => {
  const settings = read(`{
  // Comments and trailing commas are fine.
  "$schema": "./settings.schema.json",
  "permissions": {
    "allow": ["Bash(git status)",
              "Read(src/**)",],
    "ask": ["WebFetch"],
    "deny": ["Read(.env)"],
    "mode": "plan",
    "roots": ["../docs"],
  },
  "protocols": ["./mine.ts"],
  "testCommand": "npm test",
}`)
  const source = { scope: 'project', file: '/ws/.toolglot/settings.json', root: '/ws' }
  expect(settings).toEqual({
    file: '/ws/.toolglot/settings.json',
    scope: 'project',
    rules: [
      { verdict: 'allow', text: 'Bash(git status)', source: { ...source, line: 5 } },
      { verdict: 'allow', text: 'Read(src/**)', source: { ...source, line: 6 } },
      { verdict: 'ask', text: 'WebFetch', source: { ...source, line: 7 } },
      { verdict: 'deny', text: 'Read(.env)', source: { ...source, line: 8 } },
    ],
    mode: 'plan',
    roots: [{ path: '../docs', source: { ...source, line: 10 } }],
    protocols: [{ path: './mine.ts', source: { ...source, line: 12 } }],
    values: [{ key: 'testCommand', value: 'npm test', source: { ...source, line: 13 } }],
    problems: [],
    warnings: [],
  })
})

test('an empty object contains nothing', () => {
  expect(read('{}')).toMatchObject({ rules: [], problems: [], warnings: [] })
})

describe("Claude Code's permissions are read unchanged", () => {
  const text = `{
  "model": "opus",
  "hooks": {"PreToolUse": []},
  "permissions": {
    "allow": ["Bash(npm run lint)"],
    "ask": ["Bash(git push:*)"],
    "deny": ["Read(./.env)"],
    "additionalDirectories": ["../docs/"],
    "defaultMode": "acceptEdits",
    "disableBypassPermissionsMode": "disable"
  }
}`
  test('in their own file', () => {
    const options = { file: '/ws/.claude/settings.json', scope: 'user', root: '/ws' } as const
    expect(readSettings(text, { ...options, foreign: true })).toMatchObject({
      rules: [
        { text: 'Bash(npm run lint)' },
        { text: 'Bash(git push:*)' },
        { text: 'Read(./.env)' },
      ],
      mode: 'acceptEdits',
      roots: [{ path: '../docs/' }],
      problems: [],
      warnings: [],
    })
  })

  test('and unknown keys are reported if they were copied into ours', () => {
    expect(read(text).problems).toEqual([])
    expect(read(text).warnings.map(({ line }) => line)).toEqual([3])
  })

  test.each(['bypassPermissions', 'auto', 'manual'])('the mode %s allows nothing more', (mode) => {
    const settings = read(`{"permissions": {"defaultMode": "${mode}"}}`)
    expect(settings).toMatchObject({ mode: 'default', problems: [] })
    expect(settings.warnings[0]).toMatchObject({ line: 1, reason: expect.stringContaining(mode) })
  })
})

test('reads rules in YAML', () => {
  const settings = fromYaml(
    `# Rules
permissions:
  allow:
    # Commands
    - "Bash(git:*)"   # all of git
    - Read(src/**)
  deny:
    - 'Read(**/*.pem)'
  mode: dontAsk
`,
  )
  expect(settings).toMatchObject({ problems: [], warnings: [], mode: 'dontAsk' })
  expect(settings.rules.map(({ text, source }) => [text, source.line])).toEqual([
    ['Bash(git:*)', 5],
    ['Read(src/**)', 6],
    ['Read(**/*.pem)', 8],
  ])
})

describe('a problem has its line', () => {
  test.each<[text: string, line: number, reason: string]>([
    ['', 1, 'the file is empty. Write {} for no settings'],
    [' \n', 1, 'the file is empty. Write {} for no settings'],
    ['\ufeff{}', 1, 'the file starts with a byte order mark. Save it as UTF-8 without one'],
    ['[]', 1, 'the settings must be an object, not a list'],
    ['"x"', 1, 'the settings must be an object, not "x"'],
    ['null', 1, 'the settings must be an object, not null'],
    ['{\n"permissions": }', 2, 'invalid JSON: a value is missing'],
    ['{\n"permissions": {}\n', 3, 'invalid JSON: } is missing'],
    ['{"a": "x\ny"}', 1, 'invalid JSON: a string is not closed'],
    ['{} {}', 1, 'invalid JSON: unexpected text after the end'],
    ['{"permissions": {}\n/*', 2, 'invalid JSON: a comment is not closed'],
    ['{"permissions": []}', 1, 'permissions must be an object, not a list'],
    ['{"permissions":\n{"alow": []}}', 2, 'unknown setting "alow". Did you mean "allow"?'],
    ['{"permissions": {"Deny": []}}', 1, 'unknown setting "Deny". Did you mean "deny"?'],
    ['{"permissions": {"x": []}}', 1, 'unknown setting "x"'],
    ['{"permisions": {}}', 1, 'unknown setting "permisions". Did you mean "permissions"?'],
    ['{"deny": []}', 1, '"deny" must be inside "permissions"'],
    ['{"permissions": {"deny": "Read"}}', 1, '"deny" must be a list, not "Read"'],
    ['{"permissions": {"deny": {"a": 1}}}', 1, '"deny" must be a list, not an object'],
    [
      '{"permissions": {"deny": ["Read",\n5]}}',
      2,
      '"deny" must be a list of strings, and cannot contain 5',
    ],
    [
      '{"permissions": {"deny": [" "]}}',
      1,
      '"deny" must be a list of strings, and cannot contain " "',
    ],
    [
      '{"permissions": {"deny": [["Read"]]}}',
      1,
      '"deny" must be a list of strings, and cannot contain a list',
    ],
    ['{"permissions": {"deny": [],\n"deny": []}}', 2, '"deny" is a duplicate key'],
    ['{"permissions": {},\n"permissions": {}}', 2, '"permissions" is a duplicate key'],
    ['{"__proto__": {"permissions": {}}}', 1, '"__proto__" is not allowed as a key'],
    ['{"permissions": {"constructor": 1}}', 1, '"constructor" is not allowed as a key'],
    [
      '{"permissions": {"mode": "bypass"}}',
      1,
      'the mode must be one of default, acceptEdits, plan, dontAsk',
    ],
    [
      '{"permissions": {"mode": ["plan"]}}',
      1,
      'the mode must be one of default, acceptEdits, plan, dontAsk',
    ],
    ['{"permissions": {"mode": "plan",\n"defaultMode": "default"}}', 2, 'the mode is set twice'],
    ['{"protocols": "./mine.ts"}', 1, '"protocols" must be a list, not "./mine.ts"'],
  ])('%j', (text, line, reason) => {
    expect(reasons(read(text))[0]).toEqual([line, reason])
  })

  test.each<[text: string, line: number, reason: RegExp]>([
    ['', 1, /empty/],
    ['a: [', 1, /invalid YAML/],
    ['permissions:\n  allow: &a [x]\n  deny: *a', 3, /aliases are not supported/],
    ['permissions:\n  allow: [!!js/function x]', 2, /invalid YAML|tags/],
    ['permissions: {}\n---\npermissions: {}', 2, /invalid YAML/],
    [
      'permissions:\n  deny:\n    - Bash(echo: x)',
      3,
      /"deny" must be a list of strings, and cannot contain an object/,
    ],
    ['permissions:\n  deny:\n  <<: {}', 2, /"deny" must be a list, not null/],
    ['permissions:\n  deny: []\n  deny: []', 3, /duplicate/],
    ['permissions:\n  __proto__: []', 2, /is not allowed as a key/],
    [`a: ${'['.repeat(2000)}`, 1, /too deep/],
    ['- '.repeat(2000), 1, /too deep/],
    ['? '.repeat(2000), 1, /too deep/],
    [`a: ${'x'.repeat(70_000)}`, 1, /longer than/],
  ])('YAML %j', (text, line, reason) => {
    const [first] = reasons(fromYaml(text))
    expect(first?.[0]).toBe(line)
    expect(first?.[1]).toMatch(reason)
  })

  test('the readable part of a broken file counts, so its deny rules apply', () => {
    const settings = read('{"permissions": {"deny": ["Read(.env)", 5], "alow": []}')
    expect(settings.rules).toMatchObject([{ verdict: 'deny', text: 'Read(.env)' }])
    expect(settings.problems).toHaveLength(3)
  })
})

test('an unknown key outside of permissions is a warning', () => {
  expect(read('{"protocol": []}')).toMatchObject({
    problems: [],
    warnings: [{ line: 1, reason: 'unknown setting "protocol". Did you mean "protocols"?' }],
  })
})

test('settings with too many values are rejected', () => {
  const { faults } = readJson(`[${'1,'.repeat(25_000)}1]`)
  expect(faults).toEqual([{ line: 1, reason: 'more than 50000 values and symbols' }])
})

test('never throws, however long or deep the text, and reports few problems', () => {
  const million = 1 << 20
  for (const text of [
    '['.repeat(million),
    '{"a":'.repeat(million / 5),
    '"'.repeat(million),
    ','.repeat(million),
    '}'.repeat(million),
    '/*'.repeat(million / 2),
    '\\'.repeat(million),
    `{${'"a":1,'.repeat(million / 6)}}`,
    `{"permissions": {"deny": [${'5,'.repeat(million / 2)}]}}`,
    `{"${'k'.repeat(million)}": 1}`,
    '\0'.repeat(million),
    '\n'.repeat(million),
  ]) {
    const { problems, warnings } = read(text)
    expect(problems.length + warnings.length).toBeGreaterThan(0)
    expect(problems.length).toBeLessThanOrEqual(20)
  }
}, 60_000)

const pieces = [
  ...['{', '}', '[', ']', ',', ':', '"', "'", '\\', '//', '/*', '*/', '#', '- ', '? ', '\n', '  '],
  ...[
    '\n  ',
    '\t',
    '&a',
    '*a',
    '!!x',
    '!x',
    '|',
    '>',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '<<: ',
    '~',
  ],
  ...[
    '"permissions":',
    '"deny":',
    '"Read"',
    'permissions:',
    'deny:',
    '__proto__:',
    'null',
    '1e999',
  ],
  ...['\0', '\ufeff', '\ud800', '\u2028', '\u{1f600}', '\\u', '\\ud800', '0x', '@', '`'],
]
const soup = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), {
  maxLength: 40,
})

test('no text makes it throw, and all lines of rules are correct', () => {
  fc.assert(
    fc.property(soup, (parts) => {
      const text = parts.join('')
      const lines = text.split(/\r\n|\n|\r/).length
      for (const settings of [read(text), fromYaml(text)]) {
        for (const { line } of [...settings.problems, ...settings.warnings]) {
          expect(line).toBeGreaterThan(0)
          expect(line).toBeLessThanOrEqual(lines)
        }
        expect(Object.prototype).not.toHaveProperty('permissions')
      }
    }),
    runs(3000),
  )
}, 60_000)
