import { canonicalTools, type DecisionPart } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { commandOf, SHELL_ARGUMENTS } from './command-of.ts'

const command = (what: string): DecisionPart => ({
  what,
  verdict: 'ask',
  why: '',
  subject: { text: what, words: what.split(' '), doubts: [] },
})
const whole = (what: string): DecisionPart => ({ what, verdict: 'ask', why: 'cannot be parsed' })

test('knows our own tools that execute commands', () => {
  const shells = [...canonicalTools].flatMap(([name, { runs }]) => (runs ? [[name, runs]] : []))
  expect([...SHELL_ARGUMENTS]).toEqual(shells)
})

test('ignores a decoy argument that contains the command', () => {
  const args = { description: 'Just ls -l: nothing else', command: 'ls -l' }
  const parts = [command('ls -l')]
  expect(commandOf(args, { parts, call: { name: 'Bash', args } })).toEqual({
    name: 'command',
    text: 'ls -l',
  })
  expect(commandOf(args, { parts, call: { name: 'own', args } })).toBe('several')
  expect(commandOf(args, { parts })).toBe('several')
})

test('a call by an alias executes the resolved arguments', () => {
  const call = { name: 'Bash', args: { command: 'npm test' } }
  expect(commandOf({}, { parts: [command('npm test')], call })).toEqual({
    name: 'command',
    text: 'npm test',
  })
})

test('the command of another tool is the matching argument', () => {
  const found = (args: Record<string, unknown>, parts: DecisionPart[]) =>
    commandOf(args, { parts, call: { name: 'own', args } })
  expect(found({ description: 'x', run: 'ls -l; pwd' }, [command('ls -l')])).toEqual({
    name: 'run',
    text: 'ls -l; pwd',
  })
  const matched = { ...command('rm *.log'), what: 'rm a.log b.log' }
  expect(found({ run: 'rm *.log' }, [matched])).toEqual({ name: 'run', text: 'rm *.log' })
  expect(found({ run: 'if true; then' }, [whole('if true; then')])).toEqual({
    name: 'run',
    text: 'if true; then',
  })
  expect(found({ city: 'Hanoi' }, [whole('mcp__weather__forecast')])).toBeUndefined()
  const subject = { kind: 'write', path: 'a', cwd: '/', because: 'Write' } as const
  const write: DecisionPart = { what: 'write a', verdict: 'ask', why: '', subject }
  expect(found({ file_path: 'a' }, [write])).toBeUndefined()
})
