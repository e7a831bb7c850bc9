import { expect, test } from 'vitest'
import { bestMatch, matchScore } from './match-score.ts'

test.each([
  ['Settings', 'sett', 4],
  ['Review this folder’s settings', 'settings', 3],
  ['Unsettled', 'sett', 2],
  ['Switch to dark', 'dark switch', 1],
  ['Switch to dark', 'light', 0],
  ['Cài đặt', 'cai dat', 4],
  ['设置', '设', 4],
  ['Anything', ' ', 1],
])('%s, typed %s: %i', (text, typed, expected) => {
  expect(matchScore(text, typed)).toBe(expected)
})

test('the best of several texts counts; words may match different texts', () => {
  expect(bestMatch(['acceptEdits', 'tự sửa tệp'], 'tu sua')).toBe(4)
  expect(bestMatch(['ollama/qwen3:8b', 'Ollama on this machine'], 'machine qwen')).toBe(1)
  expect(bestMatch(['ollama/qwen3:8b'], 'qn8')).toBe(0)
})
