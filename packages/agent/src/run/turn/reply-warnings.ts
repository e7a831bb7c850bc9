import type { ToolDefinition } from '@toolglot/core'
import type { ChatMessage } from '../../model/chat-message.ts'
import type { Model } from '../../model/model.ts'
import { estimateMessageTokens } from '../../model/token-counter.ts'
import type { ParsedReply } from './parse-reply-stream.ts'
import { callsOf } from './recorded-turn.ts'
import type { ReplyRequest } from './request-reply.ts'
import { missedChoice } from './request-options.ts'

/** The warnings about a whole reply, with their codes. */
export function* replyWarnings(
  reply: ParsedReply,
  dropped: number | undefined,
  { model, tools, known, toolChoice }: ReplyRequest,
): Generator<readonly [string, string], void, void> {
  const called = tools.length > 0 ? calledOutsideCalls(reply, known) : undefined
  if (reply.finish === 'length')
    yield [
      'cut_off',
      `The reply of ${model.name} was cut off after ${reply.content.length} characters${called === undefined ? '' : `, inside what looks like a call of ${called}: it was not run`}.`,
    ]
  else if (called !== undefined)
    yield [
      'call_left_as_text',
      `${model.name} seems to call ${called}, but not in a form that can be run, so the call was left as text.`,
    ]
  if (dropped !== undefined)
    yield [
      'prompt_dropped',
      `${model.name} read only ${reply.usage!.input} of about ${dropped} tokens: its server dropped the rest, because its context is smaller than reported.${model.contextAdvice === undefined ? '' : ` ${model.contextAdvice}`}`,
    ]
  const missed = missedChoice(toolChoice, callsOf(reply))
  if (missed !== undefined) yield ['tool_choice', `${model.name} ${missed}`]
}

/**
 * The approximate number of tokens sent, if the server read less than half of them although its
 * context is large enough; otherwise undefined. Only for the first prompt, because some servers
 * count only the new tokens of later ones.
 */
export function droppedTokens(
  { usage }: ParsedReply,
  { contextTokens }: Model,
  sent: readonly ChatMessage[],
): number | undefined {
  if (contextTokens === undefined || !usage || usage.estimated) return undefined
  const tokens = estimateMessageTokens(sent)
  return usage.input >= MIN_CONTEXT && usage.input < tokens / 2 ? tokens : undefined
}

/** No server has a smaller context, so the server must have counted something else. */
const MIN_CONTEXT = 512

/**
 * The tool that the text outside of the calls seems to call. If the reply was cut off, only its end
 * is searched.
 */
function calledOutsideCalls(
  { content, segments, finish }: ParsedReply,
  known: readonly ToolDefinition[],
): string | undefined {
  const texts = segments.map(({ type, span }) => (type === 'text' ? content.slice(...span) : ''))
  const text = finish === 'length' ? texts.at(-1) : texts.join('\n')
  return calledInText(
    text ?? '',
    known.map(({ name }) => name),
  )
}

/**
 * The name of a known tool that the text seems to call: the text contains JSON, a label or a tag
 * that was not parsed as a call, because it is incomplete, does not match the tool, or is in the
 * wrong place. Undefined if there is none.
 */
export function calledInText(text: string, names: readonly string[]): string | undefined {
  return names.find((name) => {
    if (name === '') return false
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const before = text.slice(Math.max(0, at - MAX_BEFORE), at)
      if (FORMS.some(({ begin, end }) => begin.test(before) && end(text[at + name.length])))
        return true
    }
    return false
  })
}

/** More than the length of the text before the name, in any form. */
const MAX_BEFORE = 40

/** The text directly before and after the name of a tool. */
const FORMS: readonly {
  readonly begin: RegExp
  readonly end: (next: string | undefined) => boolean
}[] = [
  {
    begin: /"(?:name|tool|tool_name|function|function_name|action)"\s{0,9}:\s{0,9}"$/,
    end: (next) => next === '"',
  },
  {
    begin: /(?:^|\n)\s{0,9}\**(?:Action|Tool|Function):\**[ \t]{0,9}`?$/,
    end: (next) => next === undefined || '`\r\n '.includes(next),
  },
  { begin: /<(?:function=|tool=|invoke name=")?$/, end: (next) => next === '>' || next === '"' },
]
