// Every built-in protocol, read from the text of its file, equals the imported one.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { calls, tools } from '../../test/prompt-tools.ts'
import { examplesOf } from '../../test/protocol-examples.ts'
import {
  familyOf,
  parse,
  printCalls,
  printPrompt,
  printResult,
  type Protocol,
  protocols,
} from '../index.ts'
import { readPicture } from './picture.ts'
import { share } from '../../../../tests/helpers/size.ts'

const folder = new URL('../protocols/', import.meta.url)
const files = readdirSync(folder).filter((file) => file !== 'index.ts')

/** This file re-exports the examples of another file, which is impossible in a single text. */
const WITHOUT_EXAMPLES = 'laguna-s.ts'

test.each(share(files, 4))('%s can be parsed from its source', async (file) => {
  const own = protocols[file.replace('.ts', '')]!
  const { protocol, examples, problems } = readPicture(readFileSync(new URL(file, folder), 'utf8'))
  const source = (await import(new URL(file, folder).href)) as { examples?: object }
  if (file === WITHOUT_EXAMPLES) expect(problems).toHaveLength(1)
  else {
    expect(problems).toEqual([])
    expect(examples).toEqual(source.examples ?? {})
  }
  const drawn = protocol!
  const family = familyOf(own)
  expect(Object.keys(drawn).sort()).toEqual(
    [...Object.keys({ ...own, ...family }), 'prompt'].sort(),
  )
  expect(drawn).toMatchObject(family)
  expect(printPrompt(drawn, tools)).toBe(printPrompt(own, tools))
  expect(printed(drawn)).toEqual(printed(own))
  for (const { wire } of Object.values(examplesOf(own))) {
    for (const options of [{}, { tools }]) {
      const read = (protocols: Protocol) => parse(wire, { ...options, protocols, makeId: String })
      expect(read(drawn)).toEqual(read(own))
    }
  }
})

function printed(protocol: Protocol): string[] {
  const [call] = calls
  return [
    printCalls(protocol, calls),
    printResult(protocol, { call: call!, output: { a: 1 } }, { tools }),
    printResult(protocol, { call: call!, output: 'no', failed: true }, { tools }),
  ]
}
