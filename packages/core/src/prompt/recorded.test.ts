// Compares printed prompts with those of 67 chat templates, if the recordings are available.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Part, recorded, withoutTools } from '../../test/fixtures/recorded-prompts.ts'
import {
  parse,
  type PrintableCall,
  printCalls,
  printPrompt,
  printResults,
  type Protocol,
  protocols,
  type Result,
  type ToolDefinition,
} from '../index.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

interface Prompt {
  readonly template: string
  readonly scenario: string
  readonly prompt: string
}

interface Message {
  readonly role: string
  readonly calls?: readonly { id: string; name: string; arguments: Record<string, unknown> }[]
  readonly callId?: string
  readonly content: string
}

interface Scenarios {
  readonly tools: readonly ToolDefinition[]
  readonly scenarios: Readonly<Record<string, { readonly messages: readonly Message[] }>>
}

const folder = new URL('../../../../../shared/vectors/', import.meta.url)
const there = !(await lacks('recorded data'))
const { tools, scenarios } = (there ? JSON.parse(read('scenarios.json')) : {}) as Scenarios
const prompts = there ? lines() : []

describe.skipIf(!there)('shared/vectors/prompts.jsonl', () => {
  test('every template is listed', () => {
    const listed = [...Object.keys(recorded), ...Object.keys(withoutTools)].sort()
    expect([...new Set(prompts.map(({ template }) => template))].sort()).toEqual(listed)
  })

  test.each(Object.entries(recorded))(
    '%s',
    (template, { protocol, turns = false, differs = {} }) => {
      const found = prompts
        .filter((prompt) => prompt.template === template)
        .flatMap((prompt) => differences(protocols[protocol]!, turns, prompt))
      expect([...new Set(found)].sort()).toEqual(Object.keys(differs).sort())
    },
  )
})

/** The parts of a recorded prompt that differ from the printed one. */
function differences(protocol: Protocol, turns: boolean, { scenario, prompt }: Prompt): Part[] {
  const { messages } = scenarios[scenario]!
  const made = messages.flatMap(({ calls = [] }) => calls)
  const outputs = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  // Some templates use the caller's ids. Others number the calls, and the test reads these numbers
  // back.
  const given = made.map(({ id, name, arguments: args }): PrintableCall => ({ id, name, args }))
  const numbered = made.map(({ name, arguments: args }): PrintableCall => ({ name, args }))
  const printed = printCalls(protocol, numbered)
  const known = [given, parse(printed, { protocols: protocol, tools }).calls]
  const results = known
    .map((calls) => outputs.map((output, i): Result => ({ call: calls[i]!, output })))
    .map((all) => (turns ? all.map((one) => [one]) : [all]))
  const plural = made.length > 1 ? 's' : ''
  const parts: [Part, boolean][] = [
    ['tools', prompt.includes(printPrompt(protocol, tools))],
    [`call${plural}`, [printCalls(protocol, given), printed].some((text) => prompt.includes(text))],
    [
      `result${plural}`,
      results.some((groups) =>
        groups.every((group) => prompt.includes(printResults(protocol, group))),
      ),
    ],
  ]
  return parts.filter(([, same]) => !same).map(([part]) => part)
}

function read(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

function lines(): Prompt[] {
  return read('prompts.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Prompt)
    .map((prompt) => ({ ...prompt, template: prompt.template.replace('.jinja', '') }))
}
