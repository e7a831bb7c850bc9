import { expect, test } from 'vitest'
import { memoryValues } from '../../../test/memory-values.ts'
import { sharedResponseStore } from './shared-store.ts'
import type { KeptResponse } from './history.ts'

const user = (content: string) => ({ role: 'user' as const, content })
const response = (id: string, previous?: string): KeptResponse => ({
  id,
  previous,
  input: [user(`in ${id}`)],
  output: [{ id: `msg_${id}`, item: { role: 'assistant', content: `out ${id}`, calls: [] } }],
})

test('finds a response stored by another server, for the same owner only', async () => {
  const values = memoryValues()
  const fail = (error: unknown): never => {
    throw error
  }
  const [one, other] = [sharedResponseStore(values, fail), sharedResponseStore(values, fail)]
  expect(one.keep('me', response('a'))).toBe(true)
  expect(other.keep('me', response('b', 'a'))).toBe(true)
  expect(await one.conversation('me', 'b')).toEqual([
    user('in a'),
    { role: 'assistant', content: 'out a', calls: [] },
    user('in b'),
    { role: 'assistant', content: 'out b', calls: [] },
  ])
  expect(await other.item('me', 'msg_a')).toEqual(response('a').output[0])
  expect(await other.conversation('you', 'b')).toBeUndefined()
  expect(await one.item('you', 'msg_a')).toBeUndefined()
})

test('waits for a response that is still being saved', async () => {
  const values = memoryValues()
  let write = (): void => {}
  const slow = {
    ...values,
    add: (...words: Parameters<typeof values.add>) =>
      new Promise<boolean>((resolve) => (write = () => resolve(values.add(...words)))),
  }
  const here = sharedResponseStore(slow, () => {})
  here.keep('me', { ...response('a'), output: [] })
  const found = sharedResponseStore(values, () => {}).conversation('me', 'a')
  const own = here.conversation('me', 'a')
  write()
  expect(await found).toEqual([user('in a')])
  expect(await own).toEqual([user('in a')])
})

test('does not store a response that is too large, and reports failures', async () => {
  const values = memoryValues()
  const errors: unknown[] = []
  const store = sharedResponseStore(
    { ...values, add: () => Promise.reject(new Error('The database is gone.')) },
    (error) => errors.push(error),
  )
  expect(store.keep('me', { ...response('a'), input: [user('x'.repeat(17 << 20))] })).toBe(false)
  expect(store.keep('me', response('b'))).toBe(true)
  expect(await store.conversation('me', 'b')).toBeUndefined()
  expect(errors).toHaveLength(1)
})
