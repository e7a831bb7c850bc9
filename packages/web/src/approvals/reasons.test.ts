import { expect, test } from 'vitest'
import { en, type Translate } from '../words/words.ts'
import { reasonSentence } from './reasons.ts'

const t: Translate = (key, values = {}) =>
  en[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

test.each([
  ['no rule allows it; the rule Bash(ls) would', 'No rule allows it.'],
  ['-d sends data; only an exact rule such as Bash(curl -d x) would allow it', '-d sends data.'],
  ['no rule allows go.dev', 'No rule allows go.dev.'],
  ['contains the invisible character U+200B', 'Contains the character U+200B, which nobody sees.'],
  ['can make git run code', 'Can make git run code.'],
  ['`status` is not a known git command', '`status` is not a known git command.'],
  ['cannot be parsed: expected a word?', 'Cannot be parsed: expected a word?'],
  ['', ''],
])('%s', (why, sentence) => {
  expect(reasonSentence(why, t)).toBe(sentence)
})
