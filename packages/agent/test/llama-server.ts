import {
  answer,
  answerByPath,
  eventOf,
  modelServer,
  type Answer,
  type ModelServer,
} from './model-server.ts'

/** A chat template that describes tools and prints calls and reasoning. */
export const toolTemplate = `{{ bos_token }}{% if tools %}<|im_start|>system
{% for tool in tools %}{{ tool.function | tojson }}
{% endfor %}<|im_end|>
{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>
{{ {'name': c.function.name, 'arguments': c.function.arguments} | tojson }}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}<|im_start|>assistant
{% if enable_thinking is not defined or enable_thinking %}<think>
{% else %}<think>

</think>

{% endif %}`

/** A chat template without support for tools. */
export const plainTemplate = `{% for m in messages %}[{{ m.role }}] {{ m.content }}
{% endfor %}[assistant] `

/** Streams a completion like llama.cpp, with one event for each piece of text. */
export function completes(...texts: readonly string[]): Answer {
  const events = [
    ...texts.map((content) => ({ content, stop: false })),
    { content: '', stop: true, stop_type: 'eos', tokens_evaluated: 12, tokens_predicted: 3 },
  ]
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(events.map((event) => eventOf(event)).join(''))
}

/**
 * Starts a fake llama.cpp server on loopback. It reports the same properties as a real one, and
 * each completion gets the next reply.
 */
export async function llamaServer(
  template: string,
  replies: readonly Answer[],
  properties: object = {},
): Promise<ModelServer> {
  let next = 0
  return modelServer(
    answerByPath({
      '/props': {
        chat_template: template,
        bos_token: '<s>',
        eos_token: '<|im_end|>',
        default_generation_settings: { n_ctx: 8192 },
        ...properties,
      },
      '/v1/models': { data: [{ id: 'qwen3-8b' }] },
      '/tokenize': answer(200, { tokens: [1] }),
      '/completion': ((...all) => {
        const reply = replies[Math.min(next, replies.length - 1)]!
        next += 1
        return reply(...all)
      }) satisfies Answer,
    }),
  )
}
