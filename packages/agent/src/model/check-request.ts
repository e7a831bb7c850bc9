import { hideKeys } from '../result/redact.ts'
import { describeValue, mustBe } from '@toolglot/permissions/errors/internal'
import { asObject } from './as-object.ts'
import { isImageUrl, type ContentPart, type ChatMessage } from './chat-message.ts'
import type { Model, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'
import { plainLine } from './plain-line.ts'

/**
 * Checks a request before it is sent. Throws a ModelError for a feature that the model does not
 * support, and a TypeError for an invalid request. Each message is checked only once.
 */
export function checkRequest(
  model: Pick<Model, 'name' | 'images' | 'prefill' | 'grammars'>,
  request: ModelRequest,
  sentBefore = 0,
): void {
  const refuse = (problem: string): never => {
    throw new ModelError('refused', `${model.name} ${problem}.`)
  }
  checkContents(model, request, refuse, sentBefore)
  checkToolChoice(request, refuse)
  checkPrefill(model, request, refuse)
  checkGrammar(model, request, refuse)
  checkResponseFormat(request)
  const { topP, seed, body } = request
  if (topP !== undefined && !(topP >= 0 && topP <= 1)) {
    throw invalid('`topP`', 'a number from 0 to 1', topP)
  }
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) {
    throw invalid('`seed`', 'a whole number of at least 0', seed)
  }
  if (body !== undefined && !asObject(body)) throw invalid('`body`', 'an object', body)
}

/** Throws a ModelError with advice about an unsupported feature. */
type Refuse = (problem: string) => never

function checkContents(
  { images }: Pick<Model, 'images'>,
  { messages }: ModelRequest,
  refuse: Refuse,
  sentBefore: number,
): void {
  if (textOnly.has(messages)) return
  let isTextOnly = true
  for (let index = sentBefore; index < messages.length; index++) {
    const { content } = messages[index]!
    if (typeof content === 'string') continue
    const { role } = messages[index]!
    isTextOnly = false
    const where = `in message ${index + 1}`
    if (role !== 'user' || !Array.isArray(content)) {
      throw invalid(`the content ${where}`, 'text, or parts if it is a user message', content)
    }
    for (const part of content as readonly ContentPart[]) {
      if (part?.type === 'image') {
        if (!images) {
          refuse(
            `does not accept images, but there is one ${where}. Use another model, or set \`images: true\` for this one if it does`,
          )
        }
        if (!isImageUrl(part.url)) {
          throw invalid(
            `the URL of an image ${where}`,
            'data:image/…;base64,… or https://…',
            part.url,
          )
        }
      } else if (part?.type !== 'text' || typeof part.text !== 'string') {
        throw invalid(`each part ${where}`, 'a valid text or image', asObject(part)?.['type'])
      }
    }
  }
  if (isTextOnly) textOnly.add(messages)
}

/** Messages already checked: the run checks each request, and so do most models. */
const textOnly = new WeakSet<readonly ChatMessage[]>()

function checkToolChoice({ tools = [], toolChoice = 'auto' }: ModelRequest, refuse: Refuse): void {
  if (toolChoice === 'auto' || toolChoice === 'none') return
  if (toolChoice === 'required') {
    if (tools.length === 0) refuse(`must call a tool, but has none. Pass \`tools\`, or 'auto'`)
    return
  }
  const name: unknown = asObject(toolChoice)?.['name']
  if (typeof name !== 'string') {
    throw invalid('`toolChoice`', "'auto', 'none', 'required' or { name }", toolChoice)
  }
  if (tools.some((tool) => tool.name === name)) return
  const names = tools.map((tool) => tool.name).join(', ')
  const given = names === '' ? 'it has none' : `its tools are ${plainLine(names)}`
  refuse(`must call ${quote(name)}, but ${given}. Pass that tool, or choose another`)
}

function checkPrefill(
  { prefill: can }: Pick<Model, 'prefill'>,
  request: ModelRequest,
  refuse: Refuse,
): void {
  const { prefill, tools = [], messages } = request
  if (prefill === undefined || prefill === '') return
  if (typeof prefill !== 'string') throw invalid('`prefill`', 'a string', prefill)
  if (!can) {
    refuse('cannot continue a prefill. Omit it, or set `prefill: true` for this model if it can')
  }
  if (tools.length > 0) {
    refuse(
      'cannot continue a prefill with native function calling. Omit the prefill, or select a protocol so that calls are text',
    )
  }
  if (messages.at(-1)?.role === 'assistant') {
    refuse(
      'cannot continue a prefill after its own reply. End the messages with a user message, or move the reply into the prefill',
    )
  }
}

function checkGrammar(
  { grammars = [] }: Pick<Model, 'grammars'>,
  request: ModelRequest,
  refuse: Refuse,
): void {
  const { grammar, responseFormat } = request
  if (grammar === undefined) return
  const { syntax, text } = asObject(grammar) ?? {}
  if (syntax !== 'gbnf' && syntax !== 'lark') {
    throw invalid('the syntax of `grammar`', "'gbnf' or 'lark'", syntax)
  }
  if (typeof text !== 'string' || text.trim() === '') {
    throw invalid('the text of `grammar`', 'a string that is not empty', text)
  }
  if (!grammars.includes(syntax)) {
    const known = grammars.length === 0 ? 'supports no grammars' : `supports ${grammars.join(', ')}`
    refuse(
      `${known}, but the grammar is ${syntax}. Omit it, or add it to \`grammars\` of this model if its server supports it`,
    )
  }
  if (responseFormat?.type === 'json') {
    throw new TypeError(
      'A request cannot have both a grammar and a JSON response format. Omit one of them.',
    )
  }
}

function checkResponseFormat({ responseFormat }: ModelRequest): void {
  if (responseFormat === undefined) return
  const { type, schema, name } = (asObject(responseFormat) ?? {}) as Partial<
    Record<string, unknown>
  >
  if (type !== 'text' && type !== 'json') {
    throw invalid('the type of `responseFormat`', "'text' or 'json'", type)
  }
  if (schema !== undefined && !asObject(schema)) {
    throw invalid('the schema of `responseFormat`', 'a JSON Schema', schema)
  }
  // OpenAI's limits for names.
  if (name !== undefined && !(typeof name === 'string' && /^[\w-]{1,64}$/.test(name))) {
    throw invalid('the name of `responseFormat`', '1 to 64 letters, digits, _ and -', name)
  }
}

function invalid(subject: string, rule: string, got: unknown): TypeError {
  return new TypeError(`${mustBe(subject, rule).slice(0, -1)}, not ${quote(got)}.`)
}

function quote(value: unknown): string {
  return plainLine(hideKeys(describeValue(value)), 100)
}
