import type { DecisionPart, Verdict } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { segmentsOf } from './command-text.tsx'

const command = (what: string, verdict: Verdict = 'ask'): DecisionPart => ({
  what,
  verdict,
  why: '',
  subject: { text: what, words: what.split(' '), doubts: [] },
})
const write = (path: string, because: string, verdict: Verdict = 'ask'): DecisionPart => ({
  what: `write ${path}`,
  verdict,
  why: '',
  subject: { kind: 'write', path, cwd: '/', because },
})
const whole = (what: string): DecisionPart => ({ what, verdict: 'ask', why: 'cannot be parsed' })

/** Segments as `[text]verdict:parts`. */
const drawn = (text: string, parts: readonly DecisionPart[]): string =>
  segmentsOf(text, parts)
    .map((each) =>
      each.verdict ? `[${each.text}]${each.verdict}:${each.parts.join(',')}` : each.text,
    )
    .join('')

test('marks several commands in a row', () => {
  expect(
    drawn('npm test 2>&1 | tee log && git push', [
      command('npm test 2>&1', 'allow'),
      command('tee log'),
      command('git push'),
    ]),
  ).toBe('[npm test 2>&1]allow:0 | [tee log]ask:1 && [git push]ask:2')
})

test('marks a command with a pattern, and one in a loop, as written', () => {
  const judged = (part: DecisionPart, what: string): DecisionPart => ({ ...part, what })
  expect(
    drawn('rm *.log; for i in 1 2; do echo $i; done', [
      judged(command('rm *.log'), 'rm a.log b.log'),
      judged(command('echo $i', 'allow'), 'echo 1'),
      judged(command('echo $i'), 'echo 2'),
    ]),
  ).toBe('[rm *.log]ask:0; for i in 1 2; do [echo $i]ask:1,2; done')
})

test('a nested command is a separate part, in any order', () => {
  expect(
    drawn('echo $(rm -rf /) now', [command('rm -rf /', 'deny'), command('echo $(rm -rf /) now')]),
  ).toBe('[echo $(]ask:1[rm -rf /]deny:0[) now]ask:1')
  expect(
    drawn('timeout 5 git status', [
      command('timeout 5 git status', 'allow'),
      command('git status'),
    ]),
  ).toBe('[timeout 5 ]allow:0[git status]ask:1')
})

test('a file that a command writes belongs to the command or to its redirection', () => {
  expect(drawn('tee log', [command('tee log', 'allow'), write('log', 'tee log')])).toBe(
    '[tee log]ask:0,1',
  )
  expect(drawn('echo x > out', [command('echo x > out', 'allow'), write('out', '> out')])).toBe(
    '[echo x ]allow:0[> out]ask:1',
  )
})

test('an effect is located by the essential words of its command', () => {
  expect(
    drawn('ls; rm -rf /', [command('ls'), command('rm -rf /', 'allow'), write('/', 'rm /')]),
  ).toBe('[ls]ask:0; [rm -rf /]ask:1,2')
})

test('equal commands have separate places', () => {
  expect(drawn('ls; ls', [command('ls'), command('ls', 'allow')])).toBe('[ls]ask:0; [ls]allow:1')
})

test('does not find a short command inside the words of a longer one', () => {
  expect(drawn('cats; cat', [command('cats'), command('cat')])).toBe('[cats]ask:0; [cat]ask:1')
  expect(drawn('git push; git', [command('git push'), command('git')])).toBe(
    '[git push]ask:0; [git]ask:1',
  )
})

test('a part about the whole text, or one that is not found, has no place', () => {
  expect(drawn('if true; then', [whole('if true; then'), command('true', 'allow')])).toBe(
    'if [true]allow:1; then',
  )
  expect(drawn('a', [command('b')])).toBe('a')
  expect(drawn('', [])).toBe('')
})

test('keeps the text unchanged', () => {
  const text = 'a\u200b && (b; c) > d "e"'
  const parts = [command('a\u200b'), command('b'), command('c'), write('d', '> d')]
  expect(
    segmentsOf(text, parts)
      .map((each) => each.text)
      .join(''),
  ).toBe(text)
})
