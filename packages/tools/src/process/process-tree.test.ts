import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { type ListedProcess, listProcesses, findProcess } from './list-processes.ts'
import { membersOf, signalAll, signalProcess } from './process-tree.ts'

const tree = { pid: 100, started: 50, mark: 'nobody.' }

function listed(pid: number, more: Partial<ListedProcess> = {}): ListedProcess {
  return {
    pid,
    parent: 1,
    group: pid,
    session: pid,
    started: 60,
    name: 'x',
    hasEnded: false,
    ...more,
  }
}

test('members are those of its session and group, and all of their descendants', () => {
  const list = [
    listed(100, { started: 50 }),
    listed(101, { session: 100 }),
    listed(102, { group: 100 }),
    listed(103, { parent: 101 }),
    listed(104, { parent: 103 }),
    listed(105),
    listed(106, { parent: 105 }),
  ]
  const { near, all } = membersOf([tree], list).get(tree)!
  expect(near.map(({ pid }) => pid)).toEqual([100, 101, 102])
  expect(all.map(({ pid }) => pid)).toEqual([100, 101, 102, 103, 104])
})

test('a process with a reused pid is not a member', () => {
  const list = [
    listed(100, { started: 70 }),
    listed(101, { session: 100 }),
    listed(102, { parent: 100 }),
  ]
  expect(membersOf([tree], list).get(tree)!.all).toEqual([])
})

test('an older process is not a member', () => {
  expect(membersOf([tree], [listed(101, { session: 100, started: 40 })]).get(tree)!.all).toEqual([])
})

test('our own process is never a member', () => {
  expect(membersOf([tree], [listed(process.pid, { session: 100 })]).get(tree)!.all).toEqual([])
})

test('a signal reaches only its target', async () => {
  const child = spawn('sleep', ['30'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const found = findProcess(child.pid!)!
  signalProcess({ ...found, started: found.started + 1 }, 'SIGKILL')
  signalProcess(findProcess(process.pid)!, 'SIGKILL')
  expect(findProcess(child.pid!)?.hasEnded).toBe(false)
  signalProcess(found, 'SIGKILL')
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})

test('a group is signalled as a whole only if all of it is included', async () => {
  const child = spawn('bash', ['-c', 'sleep 30 & sleep 31 & echo; wait'], { detached: true })
  onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'))
  await once(child.stdout, 'data')
  const ofGroup = (): ListedProcess[] => listProcesses().filter(({ group }) => group === child.pid!)
  const before = ofGroup()
  expect(before).toHaveLength(3)
  const one = before.find(({ pid }) => pid !== child.pid)!
  signalAll([one], listProcesses(), 'SIGKILL')
  await expect
    .poll(() => ofGroup().map(({ pid }) => pid))
    .toEqual(before.map(({ pid }) => pid).filter((pid) => pid !== one.pid))
})
