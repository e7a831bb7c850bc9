import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collect, type Model, run, tool } from '@toolglot/agent'
import { connectModel } from '@toolglot/agent/models'
import { nodeModelKinds as kinds } from '@toolglot/agent/node/kinds'
import { unloadGguf } from '@toolglot/agent/node/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedFolderOf } from '../helpers/folder.ts'
import { z } from 'zod'
import { CHAT_TEMPLATE, tinyModel } from './tiny-model.ts'

const folder = sharedFolderOf()
beforeAll(() => {
  // The library's usual folder.
  mkdirSync(join(folder, 'toolglot'))
  symlinkSync(fileURLToPath(new URL('.', import.meta.url)), join(folder, 'toolglot/models-runtime'))
})
afterAll(() => unloadGguf())

async function connect(chatTemplate: string): Promise<Model> {
  writeFileSync(join(folder, 'tiny.gguf'), tinyModel({ chatTemplate, contextTokens: 4096 }))
  return connectModel('./tiny.gguf', { env: { XDG_STATE_HOME: folder }, cwd: folder, kinds })
}

const CALL = `root ::= "<tool_call>" "\\n" "{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"" [A-Z] [a-z]{4} "\\"}}" "\\n" "</tool_call>"`
const ANSWER = 'root ::= "It is " [a-z]{5} "."'

/**
 * Even random weights write a call if no other text is possible, and an answer once there is a
 * result.
 */
function constrained(model: Model, prompts: string[]): Model {
  return {
    ...model,
    reply(request) {
      const hasResult = request.messages.some(
        ({ role, content }) => role === 'tool' || JSON.stringify(content).includes('is clear'),
      )
      prompts.push(JSON.stringify(request))
      const grammar = { syntax: 'gbnf', text: hasResult ? ANSWER : CALL } as const
      return model.reply({ ...request, grammar, seed: 1, maxTokens: 200 })
    },
  }
}

describe.each([
  ['that describes tools', CHAT_TEMPLATE, true],
  [
    'that knows no tools',
    `{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}<|im_start|>assistant{{ '\\n' }}`,
    false,
  ],
])('with a template %s', (_, template, drawsTools) => {
  test('random weights call a tool, and answer with its result', async () => {
    const model = await connect(template)
    expect(model.reference).toBe(join(folder, 'tiny.gguf'))
    expect(model.drawsTools).toBe(drawsTools)
    const cities: string[] = []
    const weather = tool({
      name: 'get_weather',
      description: 'Get the weather in a city',
      parameters: z.object({ city: z.string() }),
      readOnly: true,
      execute({ city }) {
        cities.push(city)
        return `It is clear in ${city}.`
      },
    })
    const prompts: string[] = []
    const result = await collect(
      run({ model: constrained(model, prompts), tools: [weather], prompt: 'Weather?' }),
    )
    expect(result.reason).toBe('answer')
    expect(result.text).toMatch(/^It is [a-z]{5}\.$/)
    expect(cities).toEqual([expect.stringMatching(/^[A-Z][a-z]{4}$/)])
    expect(result.turns).toBe(2)
    expect(prompts[0]!.includes('"tools":')).toBe(drawsTools)
    // The second prompt begins with the first one and its reply, which are not processed again.
    expect(result.usage.cached).toBeGreaterThan(200)
    expect(result.usage.estimated).toBeUndefined()
  })
})

test('a template that throws ends the run with advice', async () => {
  const model = await connect(`{{ raise_exception('only in French') }}`)
  const { reason, error } = await collect(run({ model, tools: [], prompt: 'Hello' }))
  expect(reason).toBe('model_error')
  expect(String(error)).toContain('rejected the conversation: only in French')
})
