import { expect, test } from 'vitest'
import {
  type PendingToggle,
  withoutToggle,
  canTurnOn,
  kitName,
  type OwnToggles,
  withKit,
  withTool,
} from './use-toggles.ts'
import fc from 'fast-check'

test('the end of a first change keeps the pending toggle of the second', () => {
  const [first, second]: [PendingToggle, PendingToggle] = [{ isOn: false }, { isOn: false }]
  const pending = new Map([
    ['Bash', second],
    ['Read', first],
  ])
  expect([...withoutToggle(pending, first)]).toEqual([['Bash', second]])
})

const bash = { name: 'Bash', aliases: ['bash', 'run_tests'] }
const open = { name: 'mcp__hub__open', aliases: [], server: 'hub' }
const own = (toolToggles: OwnToggles['toolToggles'], defaultToolEnabled = true): OwnToggles => ({
  toolToggles,
  defaultToolEnabled,
})

test.each<[OwnToggles, typeof bash | typeof open, boolean, OwnToggles['toolToggles']]>([
  [own({}), bash, false, { Bash: false }],
  [own({ Bash: false, Read: false }), bash, true, { Read: false }],
  // An alias stands for its tool.
  [own({ run_tests: false }), bash, true, {}],
  [own({ run_tests: false }), bash, false, { Bash: false }],
  // The toolkit or the default determines the state.
  [own({ mcp__hub: false }), open, true, { mcp__hub: false, mcp__hub__open: true }],
  [own({ mcp__hub: false, mcp__hub__open: true }), open, false, { mcp__hub: false }],
  [own({ 'mcp__hub__*': false }), open, true, { 'mcp__hub__*': false, mcp__hub__open: true }],
  [own({}, false), bash, true, { Bash: true }],
  [own({ Bash: true }, false), bash, false, {}],
  // All tools are disabled, by name.
  [own({ '*': false }), bash, true, { '*': false, Bash: true }],
  [own({ '*': false, Bash: false }), bash, true, { '*': false, Bash: true }],
  // Another file disables all tools by default.
  [own({}), bash, true, { Bash: true }],
])('%j: %j becomes %j', (before, tool, isOn, after) => {
  expect(withTool(before, tool, isOn)).toEqual(after)
})

test('changes a whole toolkit', () => {
  expect(withKit(own({ mcp__hub__open: true, Read: false }), 'mcp__hub', [open], false)).toEqual({
    Read: false,
    mcp__hub: false,
  })
  expect(withKit(own({ 'mcp__hub__*': false }), 'mcp__hub', [open], true)).toEqual({})
  expect(withKit(own({}, false), 'mcp__hub', [open], true)).toEqual({ mcp__hub: true })
  expect(withKit(own({ '*': false }), 'mcp__hub', [open], true)).toEqual({
    '*': false,
    mcp__hub: true,
  })
  expect([kitName(open), kitName({ toolkit: 'kit' }), kitName({})]).toEqual([
    'mcp__hub',
    'kit',
    undefined,
  ])
})

/** The state of a tool according to settings, as the server reads them. */
function isOn({ toolToggles, defaultToolEnabled }: OwnToggles): boolean {
  const said = (names: readonly string[]): boolean[] =>
    names.filter((name) => Object.hasOwn(toolToggles, name)).map((name) => toolToggles[name]!)
  const [named, kit] = [said([open.name]), said(['mcp__hub', 'mcp__hub__*'])]
  const decisive = named.length > 0 ? named : kit
  return decisive.length > 0 ? !decisive.includes(false) : defaultToolEnabled
}

test('law: changes the tool as requested, and no other tool', () => {
  const toggles = fc.dictionary(
    fc.constantFrom('mcp__hub', 'mcp__hub__*', open.name, 'Bash', '__proto__', 'constructor'),
    fc.boolean(),
  )
  fc.assert(
    fc.property(toggles, fc.boolean(), fc.boolean(), (toolToggles, byDefault, wanted) => {
      const after = withTool(own(toolToggles, byDefault), open, wanted)
      expect(isOn(own(after, byDefault))).toBe(wanted)
      const others = (all: object): unknown =>
        Object.entries(all).filter(([name]) => name !== open.name)
      expect(others(after)).toEqual(others(toolToggles))
    }),
  )
})

test("only the user's own file and a default can be changed here", () => {
  const off = (key: 'toolToggles' | 'defaultToolEnabled') =>
    ({ enabled: false, disabledBy: { key, scope: 'project' } }) as Parameters<typeof canTurnOn>[0]
  expect(canTurnOn(off('toolToggles'), false)).toBe(false)
  expect(canTurnOn(off('toolToggles'), true)).toBe(true)
  expect(canTurnOn(off('defaultToolEnabled'), false)).toBe(true)
})
