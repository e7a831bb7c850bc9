import { useState, type ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { observedFetch } from '../app/connection.ts'
import { shellWord } from '../app/shell-word.ts'

/** The model that the gateway chooses. */
const DEFAULT_MODEL = 'default'

const CREATE_TOKEN = 'toolglot token create laptop --scope gateway'
const OWN_TOKEN = 'toolglot token'

const BLOCK = 'grid min-w-0 gap-1.5'

/** Instructions for a client: the address, a key, and a text to copy. */
export function ConnectClient(): ReactNode {
  const { t } = useWords()
  const models = useGatewayModels()
  const [chosen, setModel] = useState(DEFAULT_MODEL)
  const [id, setId] = useState('environment')
  const known = models.data ?? [DEFAULT_MODEL]
  // The chosen model may have disappeared.
  const model = known.includes(chosen) ? chosen : DEFAULT_MODEL
  const url = `${location.origin}/v1`
  const snippet = SNIPPETS.find((each) => each.id === id)!
  const text = snippet.text({ url, model })
  return (
    <section className="pane-content gap-4" aria-labelledby="gw-connect">
      <div className={BLOCK}>
        <h2 id="gw-connect" className="font-580">
          {t('gateway.connect')}
        </h2>
        <p className="text-ink-2">{t('gateway.connect.what')}</p>
      </div>
      <Line name={t('gateway.connect.url')} text={url} />
      <div className={BLOCK}>
        <h3 className="label">{t('gateway.connect.key')}</h3>
        <p className="text-ink-2">{t('gateway.connect.token')}</p>
        <Code text={CREATE_TOKEN} />
        <p className="text-ink-2">{t('gateway.connect.tokenMine')}</p>
        <Code text={OWN_TOKEN} />
      </div>
      <div className={`${BLOCK} justify-items-start`}>
        <div className="flex flex-wrap gap-1" role="group" aria-label={t('gateway.connect.as')}>
          {SNIPPETS.map(({ id: each, name }) => (
            <button
              key={each}
              type="button"
              className="h-[26px] rounded-full border border-line px-[9px] text-12 text-ink-2 hover:bg-hover aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-bg phone:h-[34px]"
              aria-pressed={each === id}
              onClick={() => setId(each)}
            >
              {name ?? t('gateway.connect.environment')}
            </button>
          ))}
        </div>
        {snippet.id === 'environment' ? (
          <p className="text-ink-2">{t('gateway.connect.environmentAbout')}</p>
        ) : (
          <Picker
            label={t('gateway.connect.model')}
            options={known.map((name) => ({ value: name, label: <VisibleText text={name} /> }))}
            value={model}
            onChange={setModel}
            trigger={
              <button type="button" className="picker-button">
                <span className="text-ink-2">{t('gateway.connect.model')}</span>
                <span className="min-w-0 truncate font-mono">
                  <VisibleText text={model} />
                </span>
                <Icon name="down" />
              </button>
            }
          />
        )}
        {models.isError && <p className="text-ink-2">{t('gateway.connect.failed')}</p>}
        <div className="relative min-w-0 justify-self-stretch">
          <pre
            className="code max-h-[340px] pb-10 whitespace-pre"
            tabIndex={0}
            role="region"
            aria-label={t('gateway.connect.shown')}
          >
            {text}
          </pre>
          <CopyButton
            text={text}
            label={t('gateway.connect.copy')}
            className="button button-small absolute right-2 bottom-2"
          />
        </div>
      </div>
      <p className="text-ink-3">{t('gateway.privacy')}</p>
    </section>
  )
}

function Line({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  return (
    <div className={BLOCK}>
      <h3 className="label">{name}</h3>
      <Code text={text} />
    </div>
  )
}

function Code({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-1">
      <code className="code px-[9px] py-[5px] wrap-anywhere">{text}</code>
      <CopyButton text={text} />
    </div>
  )
}

/** The model names that clients can use, as the gateway lists them. `default` is the first. */
function useGatewayModels(): UseQueryResult<readonly string[]> {
  return useQuery({ queryKey: ['GET /v1/models'], queryFn: ({ signal }) => namesOf(signal) })
}

async function namesOf(signal: AbortSignal): Promise<readonly string[]> {
  const response = await observedFetch('/v1/models', { signal })
  if (!response.ok) throw new Error(`The gateway answered with status ${response.status}.`)
  const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] }
  const names = data.map(({ id }) => id).filter((id) => id !== DEFAULT_MODEL && id !== '*')
  return [DEFAULT_MODEL, ...names]
}

/** A way to connect a client: a text to copy. */
interface Snippet {
  readonly id: string
  /** The name of the client or library; undefined for environment variables. */
  readonly name?: string
  readonly text: (values: SnippetValues) => string
}

/** The address and the model of a snippet. */
interface SnippetValues {
  /** Such as `http://127.0.0.1:4747/v1`. */
  readonly url: string
  readonly model: string
}

/** The clients described in docs/gateway.md. */
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

/** A Python string literal. It has its own escapes for characters outside the BMP. */
function pythonQuoted(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (character) => {
    const point = character.codePointAt(0)!.toString(16)
    return point.length > 4 ? `\\U${point.padStart(8, '0')}` : `\\u${point.padStart(4, '0')}`
  })
}

/**
 * A string literal for JSON and JavaScript. Non-ASCII characters are escaped, so none are hidden.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
