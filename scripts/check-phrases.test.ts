import { expect, test } from 'vitest'
import { filesIn, phrasesIn } from './check-phrases.mjs'

test.each([
  ['/** 120000 if not told. */', 'if not told'],
  ['/** Resumed to\n * the letter. */', 'to the letter'],
  ['// a run that is gone\n// on with', 'gone on with'],
  ['> what is\n> none', 'what is none'],
  ['A name that is none, anew', 'that is none', 'anew'],
  ['a value that is no text', 'that is no'],
  ['`expected a folder, got ${path}`', 'expected a folder, got'],
  ['/** What it returns. */', 'What'],
  ['/**\n * Whether it runs.\n */', 'Whether'],
  ['const a = 1\n  // Whoever reads it.', 'Whoever'],
])('%j is rejected', (text, ...phrases) => {
  expect(phrasesIn('a.ts', text)).toEqual(
    phrases.map((phrase) => expect.stringContaining(`"${phrase}"`)),
  )
})

test.each([
  'a lock that is no longer held',
  'a name that is none of its commands',
  'a word that stands for another',
  '// It is unknown\n// What follows is not the start.',
  'The document is amended, renewed and mandated.',
  '`--ignore-leading-blanks`',
])('%j is accepted', (text) => {
  expect(phrasesIn('a.ts', text)).toEqual([])
})

test('reports file and line, in order, with the alternative', () => {
  expect(phrasesIn('docs/a.md', 'One.\nBegin anew,\nif not told.\n')).toEqual([
    'docs/a.md:2: "anew": write again',
    'docs/a.md:3: "if not told": write by default',
  ])
})

test('reads sources, documents and the schema of settings', () => {
  expect(filesIn('packages/workspace/')).toEqual(
    expect.arrayContaining([
      'packages/workspace/README.md',
      'packages/workspace/settings.schema.json',
      'packages/workspace/src/index.ts',
    ]) as unknown,
  )
})
