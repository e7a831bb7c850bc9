import { expect, test } from 'vitest'
import { selfKillReason } from './shell-script.ts'

const us = { pid: 4321, names: ['node', 'toolglot'] }

test.each([
  'pkill node',
  'pkill -9 -f node',
  'sudo killall node',
  'npm test; killall toolglot',
  'kill 4321',
  'kill -9 -4321',
  'kill $PPID',
  'kill "$PPID"',
])('%s would kill this process', (command) => {
  expect(selfKillReason(command, us)).toMatch(/would (also )?end the program/)
})

test.each([
  'pkill my-server',
  'kill 43210',
  'kill %1',
  'echo node',
  'killall -l',
  'grep kill node',
])('%s would not kill this process', (command) => {
  expect(selfKillReason(command, us)).toBeUndefined()
})
