import { tool } from '@toolglot/agent'
import type { RuleScope } from '@toolglot/permissions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeSettings, grantsNothing } from '../settings/merge-settings.ts'
import { readSettings } from '../settings/read-settings.ts'
import { type ToggledTools, toggleTools } from './toggles.ts'

const made = (name: string, more: object = {}) =>
  tool({ name, description: name, parameters: { type: 'object' }, execute: () => 1, ...more })
const tools = new Map(
  [
    made('Read'),
    made('Bash'),
    made('mcp__hub__open', { server: 'hub' }),
    made('mcp__hub__close', { server: 'hub' }),
    made('kit_one', { toolkit: 'kit' }),
  ].map((each) => [each.name, each]),
)
const all = [...tools.keys()]

type Written = Partial<Record<RuleScope, object | string>>

function filesOf(written: Written) {
  return Object.entries(written).map(([scope, settings]) =>
    readSettings(typeof settings === 'string' ? settings : JSON.stringify(settings), {
      file: `/${scope}.json`,
      scope: scope as RuleScope,
      root: '/ws',
    }),
  )
}

function toggled(written: Written, trusted = false): ToggledTools {
  return toggleTools(tools, mergeSettings(filesOf(written), { trusted }))
}

function off(written: Written, trusted = false): string[] {
  return [...toggled(written, trusted).disabled.keys()]
}

describe('the targets of a toggle', () => {
  test.each<[toggles: object, off: string[]]>([
    [{}, []],
    [{ Bash: false }, ['Bash']],
    [{ bash: false }, ['Bash']],
    [{ '*': false }, all],
    [
      { '*': false, Read: true, kit: true },
      all.filter((name) => !['Read', 'kit_one'].includes(name)),
    ],
    [{ read_file: false, Read: true }, ['Read']],
    [{ mcp__hub: false }, ['mcp__hub__open', 'mcp__hub__close']],
    [{ 'mcp__hub__*': false, mcp__hub__open: true }, ['mcp__hub__close']],
    [{ mcp__hub: true, mcp__hub__open: false }, ['mcp__hub__open']],
    [{ kit: false }, ['kit_one']],
    [{ ['__proto__']: false, constructor: false, mcp__away: false, mcp__away__x: true }, []],
  ])('%j', (toolToggles, names) => {
    expect(off({ user: { toolToggles } })).toEqual(names)
  })

  test.each<{ toolToggles: unknown }>(
    ['Bash', '', null, true, false, 1, [], ['Read'], ['Read', 1], [{ Bash: false }]].map(
      (toolToggles) => ({ toolToggles }),
    ),
  )('a value that is not an object turns off all tools: %j', ({ toolToggles }) => {
    const [file] = filesOf({ project: { toolToggles } })
    expect(file!.warnings).toEqual([
      expect.objectContaining({ reason: expect.stringMatching(/ (is|are) off$/) as string }),
    ])
    expect(off({ user: { toolToggles: { Read: true } }, project: { toolToggles } })).toEqual(all)
    expect(off({ managed: { toolToggles } })).toEqual(all)
  })

  test.each<[toggles: object, off: string[]]>([
    [{ Bash: false }, ['Bash', 'BashInput', 'BashOutput', 'KillShell']],
    [{ Bash: false, BashOutput: true }, ['Bash', 'BashInput', 'KillShell']],
    [{ BashInput: false }, ['BashInput']],
  ])('tools for running commands are turned off with Bash: %j', (toolToggles, names) => {
    const shell = ['Bash', 'BashInput', 'BashOutput', 'KillShell'].map((name) => made(name))
    const files = mergeSettings(filesOf({ user: { toolToggles } }), { trusted: false })
    const { disabled } = toggleTools(new Map(shell.map((each) => [each.name, each])), files)
    expect([...disabled.keys()]).toEqual(names)
  })

  test('other tools follow defaultToolEnabled', () => {
    expect(off({ user: { defaultToolEnabled: true } })).toEqual([])
    expect(
      off({ user: { defaultToolEnabled: false, toolToggles: { bash: true, mcp__hub: true } } }),
    ).toEqual(['Read', 'kit_one'])
  })

  test('reports the setting that turns a tool off', () => {
    const { disabled, tools: on } = toggled({
      user: '{\n"toolToggles": {"read_file": false},\n"defaultToolEnabled": false}',
    })
    expect(on.size).toBe(0)
    expect(disabled.get('Read')).toMatchObject({
      key: 'toolToggles',
      name: 'read_file',
      source: { scope: 'user', file: '/user.json', line: 2 },
      reason: 'Read is turned off by toolToggles in /user.json:2',
    })
    expect(disabled.get('Bash')).toMatchObject({ key: 'defaultToolEnabled', source: { line: 3 } })
  })
})

describe('the scopes of toggles', () => {
  const own: RuleScope[] = ['managed', 'cli', 'user']
  const folder: RuleScope[] = ['project', 'local']

  test.each([...own, ...folder])(
    '%s can turn tools off, and no other scope turns them on again',
    (scope) => {
      const others = Object.fromEntries(
        [...own, ...folder]
          .filter((each) => each !== scope)
          .map((each) => [each, { toolToggles: { Bash: true } }]),
      )
      for (const trusted of [false, true])
        expect(off({ ...others, [scope]: { toolToggles: { Bash: false } } }, trusted)).toEqual([
          'Bash',
        ])
    },
  )

  test.each(folder)('%s can turn tools on only if it is trusted', (scope) => {
    const written = {
      user: { defaultToolEnabled: false },
      [scope]: { toolToggles: { Bash: true, Read: false } },
    }
    expect(off(written)).toEqual(all)
    expect(off(written, true)).toEqual(all.filter((name) => name !== 'Bash'))
  })

  test('turning tools off in a folder requires no trust or review', () => {
    const forbids = { project: { defaultToolEnabled: false, toolToggles: { Bash: false } } }
    expect(off(forbids)).toEqual(all)
    const { withheld } = mergeSettings(filesOf(forbids), { trusted: false })
    expect(grantsNothing(withheld)).toBe(true)

    const mixed = { project: { toolToggles: { Bash: false, Read: true } } }
    expect(mergeSettings(filesOf(mixed), { trusted: false }).withheld.values).toMatchObject([
      { key: 'toolToggles', value: { Read: true } },
    ])
  })

  test('law: settings of an untrusted folder never turn a tool on', () => {
    const toggles = fc.dictionary(
      fc.constantFrom(...all, 'bash', 'mcp__hub', 'mcp__hub__*', 'kit', 'nothing'),
      fc.boolean(),
    )
    const settings = fc.record(
      { toolToggles: toggles, defaultToolEnabled: fc.boolean() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(settings, settings, settings, (user, project, local) => {
        const before = off({ user })
        const after = off({ user, project, local })
        expect(after).toEqual(expect.arrayContaining(before))
        // A trusted folder cannot turn on tools that the user turned off by name either.
        const named = off({ user: { toolToggles: user.toolToggles ?? {} } })
        expect(off({ user, project, local }, true)).toEqual(expect.arrayContaining(named))
      }),
    )
  })
})

describe('bad settings', () => {
  test('turn a tool off if the value is invalid, with a warning', () => {
    const [file] = filesOf({ user: { toolToggles: { Bash: 'no', Read: null } } })
    expect(file!.warnings.map(({ reason }) => reason)).toEqual([
      '"Bash" must be true or false, not "no", which counts as false',
      '"Read" must be true or false, not null, which counts as false',
    ])
    expect(off({ user: { toolToggles: { Bash: 'no' } } })).toEqual(['Bash'])
    expect(off({ user: { defaultToolEnabled: 'yes' } })).toEqual(all)
  })

  test('turn a tool off if duplicates differ', () => {
    for (const text of ['"Bash": true, "Bash": false', '"Bash": false, "Bash": true'])
      expect(off({ user: `{"toolToggles": {${text}}}` })).toEqual(['Bash'])
  })

  test('still turn tools off if the file has errors', () => {
    const broken = { permissions: { nonsense: [] }, toolToggles: { Bash: false, Read: true } }
    expect(off({ user: { ...broken, defaultToolEnabled: false } })).toEqual(all)
    expect(off({ user: broken })).toEqual(['Bash'])
  })

  test('warn about an unknown name with the nearest one, unless a server may be down', () => {
    const { warnings } = toggled({
      user: {
        toolToggles: {
          Baash: false,
          zzzzzzzzzz: true,
          mcp__hub__opne: false,
          WebSearch: false,
          mcp__down: false,
          mcp__down__x: false,
        },
      },
    })
    expect(warnings).toEqual([
      "/user.json:1: toolToggles: unknown tool 'Baash'. Did you mean Bash?",
      "/user.json:1: toolToggles: unknown tool 'zzzzzzzzzz'",
      "/user.json:1: toolToggles: unknown tool 'mcp__hub__opne'. Did you mean mcp__hub__open?",
    ])
  })

  test('have a limited number of warnings', () => {
    const names = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`no${at}`, false]))
    expect(toggled({ project: { toolToggles: names } }).warnings).toHaveLength(5)
  })
})
