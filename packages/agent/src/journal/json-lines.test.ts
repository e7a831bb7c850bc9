import { expect, test } from 'vitest'
import { importRuns } from './json-lines.ts'
import { memoryJournal } from './memory-journal.ts'

const head = '{"toolglot":"run","version":4,"run":"a","records":1}'
const record = '{"key":"k","kind":"value","value":1,"time":5}'
const messageOf = (number: number, value: unknown): string =>
  JSON.stringify({ key: `message/${number}`, kind: 'message', value, time: 5 })

test('a run is read from its lines', async () => {
  const journal = memoryJournal()
  expect(await importRuns(journal, `${head}\r\n\n${record}`)).toEqual(['a'])
  expect(await journal.read('a')).toEqual([{ key: 'k', kind: 'value', value: 1, time: 5 }])
})

test.each([
  ['', 'text contains no'],
  ['not JSON', 'Line 1: This must be a'],
  ['[1]', 'Line 1: This must be a'],
  [record, 'Line 1: This must be the header line of'],
  [head.replace('4,', '1,'), 'Line 1: The run has version 1, but this toolglot reads version 4.'],
  [head, 'The text is truncated: it contains 0 of 1 records of the run a.'],
  [head.replace('"a"', '"../a"'), 'Line 1: A run id must'],
  [head.replace('"a"', '7'), 'Line 1: A run id must'],
  [head.replace('"a"', '"a","name":{}'), 'Line 1: The name of a'],
  [head.replace(':1}', ':1e9}'), 'Line 1: The number of records must'],
  [head.replace(':1}', ':0}'), 'Line 1: The number of records must'],
  [`${head}\n${record.replace('"k"', '"a\\u0000"')}`, 'Line 2: A key must'],
  [`${head}\n${record.replace('"value"', '"other"')}`, 'Line 2: The kind of a record'],
  [`${head}\n${record.replace('5', '-5')}`, 'Line 2: The time must'],
  [`${head}\n${record.replace('5', '"5"')}`, 'Line 2: The time must'],
  [`${head}\n${record}\n${record}`, 'Line 3: This must be the header line of'],
  [`${head}\n${record}\n${head}\n${record}`, 'Line 3: The run a appears twice.'],
  [
    `${head.replace(':1}', ':2}')}\n${record}\n${record}`,
    'Line 3: The record value k appears twice.',
  ],
  [`${head}\n${messageOf(1, { type: 'stop' })}`, 'Line 2: The next message must'],
  [
    `${head}\n${messageOf(0, { type: 'go' })}`,
    'Line 2: The value of the record message/0 must have',
  ],
  [`${head}\n${messageOf(0, null)}`, 'Line 2: The value of the record message/0 must have'],
  [`${head}\n${messageOf(0, { type: 'message' })}`, 'Line 2: A message must be text,'],
])('%s is rejected, and nothing is recorded', async (text, message) => {
  const journal = memoryJournal()
  await expect(importRuns(journal, text)).rejects.toThrow(message)
  expect(await journal.runs()).toEqual([])
})

test('special keys of JavaScript objects are plain data', async () => {
  const journal = memoryJournal()
  const odd = '{"key":"__proto__","kind":"value","value":{"__proto__":{"x":1}},"time":5}'
  await importRuns(journal, `${head}\n${odd}`)
  const [read] = await journal.read('a')
  expect(JSON.stringify(read?.value)).toBe('{"__proto__":{"x":1}}')
  expect(Object.hasOwn(read?.value as object, '__proto__')).toBe(true)
})
