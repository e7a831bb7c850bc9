import { shellWord } from '../app/shell-word.ts'

/** A way to connect a client: a text to copy. */
export interface Snippet {
  readonly id: string
  /** The name of the client or library; undefined for the environment. */
  readonly name?: string
  readonly text: (values: SnippetValues) => string
}

/** What a snippet is made for. */
export interface SnippetValues {
  /** Such as `http://127.0.0.1:4747/v1`. */
  readonly url: string
  readonly model: string
}

/** The ways to connect that docs/gateway.md describes. */
export const SNIPPETS: readonly Snippet[] = [
  {
    id: 'environment',
    text: ({ url }) =>
      `export OPENAI_BASE_URL=${shellWord(url)}\nexport OPENAI_API_KEY='paste the key here'`,
  },
  {
    id: 'python',
    name: 'Python',
    text: ({ url, model }) => `import os
from openai import OpenAI

client = OpenAI(base_url=${pythonQuoted(url)}, api_key=os.environ["OPENAI_API_KEY"])
completion = client.chat.completions.create(
    model=${pythonQuoted(model)},
    messages=[{"role": "user", "content": "What is the weather in Hanoi?"}],
    tools=[{"type": "function", "function": ${PYTHON_TOOL}}],
)
print(completion.choices[0].message.tool_calls)`,
  },
  {
    id: 'javascript',
    name: 'JavaScript',
    text: ({ url, model }) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${quoted(url)}, apiKey: process.env.OPENAI_API_KEY })
const completion = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: 'user', content: 'What is the weather in Hanoi?' }],
  tools: [{ type: 'function', function: ${SCRIPT_TOOL} }],
})
console.log(completion.choices[0].message.tool_calls)`,
  },
  {
    id: 'curl',
    name: 'curl',
    text: ({ url, model }) =>
      `echo "Authorization: Bearer $OPENAI_API_KEY" | curl -sS -H @- -H 'Content-Type: application/json' \\
  ${shellWord(`${url}/chat/completions`)} -d ${shellWord(curlBody(model))}`,
  },
  {
    id: 'ai-sdk',
    name: 'AI SDK',
    text: ({ url, model }) => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs } from 'ai'

const toolglot = createOpenAICompatible({
  name: 'toolglot',
  baseURL: ${quoted(url)},
  apiKey: process.env.OPENAI_API_KEY,
})
const { text } = await generateText({
  model: toolglot(${quoted(model)}),
  tools,
  prompt,
  stopWhen: stepCountIs(5),
})`,
  },
  {
    id: 'langchain',
    name: 'LangChain',
    text: ({ url, model }) => `import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: ${quoted(model)},
  apiKey: process.env.OPENAI_API_KEY,
  configuration: { baseURL: ${quoted(url)} },
}).bindTools(tools)`,
  },
  {
    id: 'openai-agents',
    name: 'OpenAI Agents',
    text: ({
      url,
      model,
    }) => `import { Agent, OpenAIChatCompletionsModel, run } from '@openai/agents'
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${quoted(url)}, apiKey: process.env.OPENAI_API_KEY })
const model = new OpenAIChatCompletionsModel(client, ${quoted(model)})
const result = await run(new Agent({ name: 'Weather', model, tools }), 'What is the weather in Hanoi?')`,
  },
]

const PYTHON_TOOL = `{
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }`
const SCRIPT_TOOL = `{
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  }`

function curlBody(model: string): string {
  return `{
    "model": ${quoted(model)},
    "messages": [{ "role": "user", "content": "What is the weather in Hanoi?" }],
    "tools": [{ "type": "function", "function": { "name": "get_weather",
      "parameters": { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] } } }]
  }`
}

/** A string of Python, which has another escape for what two units of UTF-16 stand for. */
function pythonQuoted(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (character) => {
    const point = character.codePointAt(0)!.toString(16)
    return point.length > 4 ? `\\U${point.padStart(8, '0')}` : `\\u${point.padStart(4, '0')}`
  })
}

/** A string of JSON and JavaScript. What is not ASCII is escaped: nothing in it is hidden. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
