import { expect, test } from 'vitest'
import { mergeSettings } from './merge-settings.ts'
import { permissionsOf } from './permissions-of.ts'
import { readSettings } from './read-settings.ts'

const permissions = (text: string): ReturnType<typeof permissionsOf> =>
  permissionsOf(
    mergeSettings([readSettings(text, { file: '/s.json', scope: 'user', root: '/ws' })], {
      trusted: false,
    }),
  )

test('returns rules with their places', () => {
  expect(permissions('{"permissions": {\n"allow": ["Grep"], "mode": "plan"}}')).toEqual({
    rules: [
      {
        verdict: 'allow',
        text: 'Grep',
        tool: 'Grep',
        source: { scope: 'user', file: '/s.json', line: 2, root: '/ws' },
      },
    ],
    problems: [],
    mode: 'plan',
  })
})

test('reports invalid rules and invalid settings', () => {
  const { rules, problems, doubt } = permissions(
    '{"permissions": {"deny": ["NoSuchTool(x)", "Grep"],\n"alow": []}}',
  )
  expect(rules).toMatchObject([{ text: 'Grep' }])
  expect(problems).toMatchObject([{ text: 'NoSuchTool(x)', source: { line: 1 } }])
  expect(doubt).toBe('invalid settings: /s.json:2: unknown setting "alow". Did you mean "allow"?')
})

test('returns the command for run_tests', () => {
  expect(permissions('{"testCommand": "make check"}')).toMatchObject({ testCommand: 'make check' })
})
