import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { plainFileSystem } from '../../test/plain-file-system.ts'
import { rulesOf } from '../../test/rules.ts'
import { plainCommands, plainRules, reachingCommands } from '../../test/shell-commands.ts'
import { disguises } from '../../test/shell-disguises.ts'
import { tails } from '../../test/shell-tails.ts'
import { PERMISSION_MODES } from '../rule/mode.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'

const { numRuns } = runs(2000)
const allow = plainRules.map((rule) => `Bash(${rule})`)

const decideOn = (command: string, rules = { allow }): Promise<Decision> =>
  decide({ name: 'Bash', args: { command } }, { rules: rulesOf(rules) }, plainFileSystem)

const commands = fc.constantFrom(
  ...plainCommands,
  ...reachingCommands,
  ...disguises,
  ...tails.flatMap((tail) => tail.commands),
)
const joints = fc.constantFrom('; ', ' && ', ' | ', ' & ', '\n', ' > x ', ' `', '$(', '"', "'", '{')
const texts = fc
  .tuple(commands, fc.array(fc.tuple(joints, commands), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.map((pair) => pair.join('')).join(''))

test('prints every allowed command, and never returns both a printed and an unprinted form', async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.constantFrom(...PERMISSION_MODES),
      fc.boolean(),
      async (command, mode, isNamed) => {
        const rules = rulesOf({
          allow: ['Bash(*)', 'Write(./**)', ...(isNamed ? [`Bash(${command})`] : allow)],
        })
        const call = { name: 'Bash', args: { command } }
        const { verdict, runs, unprinted } = await decide(call, { rules, mode }, plainFileSystem)
        if (verdict === 'allow') expect(runs).toBeTypeOf('string')
        expect([runs, unprinted]).toContain(undefined)
      },
    ),
    { numRuns },
  )
})

test.each([
  ['f() { ls; }', 'defines a function'],
  ['ls; coproc ls', 'runs a coprocess'],
  [
    'f() { ls; }; cat *.md',
    'defines a function, and the file names of its patterns are looked up when it runs',
  ],
  ['npm run build && cat dist/*', 'has a pattern whose file names are looked up when it runs'],
  // The pattern may lead to a denied folder, or through a link.
  ['git gc && ls [s]ecrets/*', 'has a pattern whose file names are looked up when it runs'],
  [`echo ${'x'.repeat(4000)}{1..100} && ls`, 'is longer than 100000 characters when printed'],
])('does not print %s, which needs approval even with an exact rule', async (command, why) => {
  const decision = await decideOn(command, { allow: [...allow, `Bash(${command})`] })
  expect(decision).toMatchObject({ verdict: 'ask', unprinted: why })
  expect(decision.parts.at(-1)?.why).toBe(`${why}, so it would run as written`)
})

test.each([
  ['false && x=1; echo $x', "set -f\nx=\n'false' && x='1'; 'echo' ${x}"],
  ['(x=1); echo "$x"', `x=\n(\nx='1'\n); 'echo' "\${x}"`],
  ['true | read -r x; echo "$x"', `x=\n'true' | 'read' '-r' 'x'; 'echo' "\${x}"`],
  ['x=1; echo "$x"', `x='1'; 'echo' "\${x}"`],
])('%s never prints an environment variable', async (command, printed) => {
  expect(await decideOn(command)).toMatchObject({ verdict: 'allow', runs: printed })
})

test('nested loops are judged up to a limit', async () => {
  const body = 'cat *; '.repeat(1300)
  const command = `for a in {1..50}; do for b in {1..9}; do ${body} done; done`
  const { parts } = await decideOn(command)
  expect(parts.map(({ why }) => why)).toContain('has more than 500 commands')
})

test.each(['command -p set +f', 'command -- set +f', 'builtin set +f', 'set +f'])(
  'does not split text after %s, which would expand patterns a second time',
  async (command) => {
    const { unprinted } = await decideOn(`${command}; x=$(ls); echo $x`)
    expect(unprinted).toBe(
      'splits text into words after it may have changed how the shell does that',
    )
  },
)

test('commands in a loop without items are judged and printed', async () => {
  expect(await decideOn('for x in; do reboot; done')).toMatchObject({
    verdict: 'ask',
    runs: "for x in\ndo\n'reboot'\ndone",
  })
})
