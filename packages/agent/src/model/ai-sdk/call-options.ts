import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { asObject } from '../as-object.ts'
import type { ModelRequest, ResponseFormat, ToolChoice } from '../model.ts'
import { promptOf, toolsOf } from './prompt.ts'

/** Converts a request to the AI SDK's call options, except for its signal. */
export function callOptions(request: ModelRequest): LanguageModelV3CallOptions {
  const { toolChoice, prefill, responseFormat, stop = [], maxTokens, temperature } = request
  const { topP, seed, body } = request
  const tools = toolsOf(request)
  const prompt = promptOf(request.messages)
  if (prefill) prompt.push({ role: 'assistant', content: [{ type: 'text', text: prefill }] })
  return {
    prompt,
    ...(tools.length > 0 && { tools, ...(toolChoice && { toolChoice: choiceOf(toolChoice) }) }),
    ...(responseFormat && { responseFormat: formatOf(responseFormat) }),
    ...(stop.length > 0 && { stopSequences: [...stop] }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(body && { providerOptions: providerOptions(body) }),
  }
}

function choiceOf(choice: ToolChoice): NonNullable<LanguageModelV3CallOptions['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

function formatOf(
  format: ResponseFormat,
): NonNullable<LanguageModelV3CallOptions['responseFormat']> {
  // Both schemas are JSON Schema.
  return format as NonNullable<LanguageModelV3CallOptions['responseFormat']>
}

/** The AI SDK has no fields of a body, but options by provider: `{ openai: { reasoningEffort: 'low' } }`. */
function providerOptions(
  body: NonNullable<ModelRequest['body']>,
): NonNullable<LanguageModelV3CallOptions['providerOptions']> {
  for (const [name, options] of Object.entries(body)) {
    if (asObject(options)) continue
    throw new TypeError(
      `expected a \`body\` with options by provider, such as { openai: { … } }, for a model of the AI SDK, got the field '${name}': put it below its provider`,
    )
  }
  return body as NonNullable<LanguageModelV3CallOptions['providerOptions']>
}
