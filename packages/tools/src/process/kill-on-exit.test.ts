import { expect, test, onTestFinished } from 'vitest'
import { machine } from '../../test/machine.ts'
import { runExitHandlers, onExit } from './kill-on-exit.ts'

test('kills a running command when the process exits', async () => {
  const { host } = await machine()
  const running = host.processes.run('trap "" TERM; echo ready; sleep 300 & wait', {
    timeout: 60_000,
    onOutput: runExitHandlers,
  })
  expect(await running).toMatchObject({ signal: 'SIGKILL', exitCode: 137 })
})

test('runs handlers in reverse order, except removed ones', () => {
  const done: string[] = []
  const forget = ['a', 'b', 'c'].map((name) => onExit(() => void done.push(name)))
  onTestFinished(() => forget.forEach((each) => each()))
  forget[1]!()
  runExitHandlers()
  expect(done).toEqual(['c', 'a'])
})

test('does not end the process on a signal with another listener', () => {
  const done: string[] = []
  const listen = (): void => void done.push('heard')
  process.once('SIGTERM', listen)
  const forget = onExit(() => void done.push('ended'))
  process.once('SIGINT', listen)
  onTestFinished(forget)
  process.emit('SIGTERM', 'SIGTERM')
  process.emit('SIGINT', 'SIGINT')
  expect(done).toEqual(['heard', 'heard'])
})

test('has no listeners without handlers', () => {
  const before = process.listenerCount('SIGTERM')
  const forget = onExit(() => {})
  expect(process.listenerCount('SIGTERM')).toBe(before + 1)
  forget()
  forget()
  expect(process.listenerCount('SIGTERM')).toBe(before)
})
