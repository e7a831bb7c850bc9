import { asObject } from '../as-object.ts'
import { validTemplate } from '../find/local-server.ts'
import { ModelError } from '../model-error.ts'

/** The content of a template file. */
export interface TemplateFile {
  readonly chatTemplate: string
  /** The templates by name, such as `tool_use`. */
  readonly chatTemplates?: Readonly<Record<string, string>>
  readonly bosToken?: string
  readonly eosToken?: string
}

/**
 * Reads a `tokenizer_config.json`, which contains one template or a list of named templates, or a
 * file that is a template itself, such as `chat_template.jinja`. Throws a ModelError for other
 * files.
 */
export function readTemplateFile(text: string, name: string): TemplateFile {
  const config = text.trimStart().startsWith('{') ? asObject(jsonIn(text)) : undefined
  if (!config) {
    const chatTemplate = validTemplate(text)
    if (chatTemplate === undefined) throw invalid(name, 'it is empty or too long')
    return { chatTemplate }
  }
  const given = config['chat_template']
  const named = Array.isArray(given) ? namedTemplates(given) : asObject(given)
  const chatTemplates = Object.fromEntries(
    Object.entries(named ?? {}).flatMap(([key, value]) => {
      const template = validTemplate(value)
      return template === undefined ? [] : [[key, template] as const]
    }),
  )
  const [first] = Object.values(chatTemplates)
  const chatTemplate = validTemplate(given) ?? chatTemplates['default'] ?? first
  if (chatTemplate === undefined) throw invalid(name, 'it has no chat_template')
  const bosToken = tokenIn(config['bos_token'])
  const eosToken = tokenIn(config['eos_token'])
  return {
    chatTemplate,
    ...(first !== undefined && { chatTemplates }),
    ...(bosToken !== undefined && { bosToken }),
    ...(eosToken !== undefined && { eosToken }),
  }
}

function namedTemplates(list: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    list.slice(0, 50).flatMap((each) => {
      const { name, template } = asObject(each) ?? {}
      return typeof name === 'string' ? [[name, template] as const] : []
    }),
  )
}

/** A token in a tokenizer config: a string, or an object that describes it. */
function tokenIn(value: unknown): string | undefined {
  return validToken(asObject(value)?.['content'] ?? value)
}

/** The value if it is usable as a first or last token, or else undefined. */
export function validToken(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 100 ? value : undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The text is not JSON: a template can also start with a brace.
    return undefined
  }
}

function invalid(name: string, why: string): ModelError {
  return new ModelError(
    'refused',
    `No chat template in ${name}: ${why}. Use a tokenizer_config.json that contains chat_template, or a chat_template.jinja.`,
  )
}
