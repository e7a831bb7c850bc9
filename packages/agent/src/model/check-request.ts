import { hideKeys } from '../result/redact.ts'
import { describeValue } from '@toolglot/permissions/internal'
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
    throw invalid('`topP` between 0 and 1', topP)
  }
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) {
    throw invalid('a `seed` that is a whole number from 0', seed)
  }
  if (body !== undefined && !asObject(body)) throw invalid('a `body` that is an object', body)
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
      throw invalid(`text ${where}, or parts if it is the user's`, content)
    }
    for (const part of content as readonly ContentPart[]) {
      if (part?.type === 'image') {
        if (!images) {
          refuse(
            `takes no images, but there is one ${where}: use a model that does, or set \`images: true\` where this one is connected if it does`,
          )
        }
        if (!isImageUrl(part.url)) {
          throw invalid(
            `an image ${where} whose URL is data:image/…;base64,… or https://…`,
            part.url,
          )
        }
      } else if (part?.type !== 'text' || typeof part.text !== 'string') {
        throw invalid(`parts ${where} that are text or images`, asObject(part)?.['type'])
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
    if (tools.length === 0) refuse(`must call a tool, but has none: pass \`tools\`, or 'auto'`)
    return
  }
  const name: unknown = asObject(toolChoice)?.['name']
  if (typeof name !== 'string') {
    throw invalid(`'auto', 'none', 'required' or { name } as \`toolChoice\``, toolChoice)
  }
  if (tools.some((tool) => tool.name === name)) return
  const names = tools.map((tool) => tool.name).join(', ')
  const given = names === '' ? 'it has none' : `its tools are ${plainLine(names)}`
  refuse(`must call ${quote(name)}, but ${given}: pass that tool, or choose another`)
}

function checkPrefill(
  { prefill: can }: Pick<Model, 'prefill'>,
  request: ModelRequest,
  refuse: Refuse,
): void {
  const { prefill, tools = [], messages } = request
  if (prefill === undefined || prefill === '') return
  if (typeof prefill !== 'string') throw invalid('a `prefill` that is a text', prefill)
  if (!can) {
    refuse(
      'starts its own replies, so it cannot continue a prefill: leave it out, or set `prefill: true` where this model is connected if it can',
    )
  }
  if (tools.length > 0) {
    refuse(
      'cannot continue a prefill with native function calling: leave out the prefill, or select a protocol so that calls are text',
    )
  }
  if (messages.at(-1)?.role === 'assistant') {
    refuse(
      'cannot continue a prefill after its own reply: end the messages with what it replies to, or move that reply into the prefill',
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
    throw invalid(`a \`grammar\` with the syntax 'gbnf' or 'lark'`, syntax)
  }
  if (typeof text !== 'string' || text.trim() === '') {
    throw invalid('a `grammar` with a text', text)
  }
  if (!grammars.includes(syntax)) {
    const known = grammars.length === 0 ? 'follows no grammars' : `follows ${grammars.join(', ')}`
    refuse(
      `${known}, but the grammar is ${syntax}: leave it out, or list it in \`grammars\` where this model is connected if its server reads it`,
    )
  }
  if (responseFormat?.type === 'json') {
    throw new TypeError(
      'a request cannot have both a grammar and a JSON response format: leave one out',
    )
  }
}

function checkResponseFormat({ responseFormat }: ModelRequest): void {
  if (responseFormat === undefined) return
  const { type, schema, name } = (asObject(responseFormat) ?? {}) as Partial<
    Record<string, unknown>
  >
  if (type !== 'text' && type !== 'json') {
    throw invalid(`a \`responseFormat\` with the type 'text' or 'json'`, type)
  }
  if (schema !== undefined && !asObject(schema)) {
    throw invalid('a JSON Schema in `responseFormat`', schema)
  }
  // OpenAI's limits for names.
  if (name !== undefined && !(typeof name === 'string' && /^[\w-]{1,64}$/.test(name))) {
    throw invalid('a `responseFormat` name of 1 to 64 letters, digits, _ and -', name)
  }
}

function invalid(expected: string, got: unknown): TypeError {
  return new TypeError(`expected ${expected}, got ${quote(got)}`)
}

function quote(value: unknown): string {
  return plainLine(hideKeys(describeValue(value)), 100)
}
