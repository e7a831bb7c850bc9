import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const ids = ['hermes', 'llama3', 'llama3-json', 'mistral', 'mistral-array', 'ptk', 'vcp']

test.each([
  ['hermse', ['hermes']], // Two swapped neighbors count as one edit.
  ['hermess', ['hermes']],
  ['HERMES', ['hermes']],
  ['lama3', ['llama3']],
  ['mistal', ['mistral']],
  ['mistral-aray', ['mistral-array']],
  ['vpc', ['vcp']],
  ['something else', []],
  ['', []],
])('%s is near %j', (word, expected) => {
  expect(nearest(word, ids)).toEqual(expected)
})
