import type { ToolDefinition } from '@toolglot/core'
import type { ChatMessage } from '../../model/chat-message.ts'
import type { Model } from '../../model/model.ts'
import { estimateMessageTokens } from '../../model/token-counter.ts'
import type { ParsedReply } from './parse-reply-stream.ts'
import { callsOf } from './recorded-turn.ts'
import type { ReplyRequest } from './request-reply.ts'
import { missedChoice } from './request-options.ts'

/** The codes and messages of the warnings about a whole reply. */
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
      `${model.name} seems to call ${called}, but not in a form that can be run: it was left as text.`,
    ]
  if (dropped !== undefined)
    yield [
      'prompt_dropped',
      `${model.name} has read only ${reply.usage!.input} of about ${dropped} tokens: its server has dropped the rest, since its context is smaller than it says.${model.contextAdvice === undefined ? '' : ` ${model.contextAdvice}`}`,
    ]
  const missed = missedChoice(toolChoice, callsOf(reply))
  if (missed !== undefined) yield ['tool_choice', `${model.name} ${missed}`]
}

/**
 * About how many tokens were sent, if the server has read less than half of them, although its context has room for all of
 * them; otherwise undefined. Only for the first prompt: of later ones, some servers count only what is new.
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

/** No server has a smaller context, so it must have counted something else. */
const MIN_CONTEXT = 512

/** The tool that the text beside the calls seems to call. In a reply that was cut off, only the end counts. */
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
 * The name of a known tool that a text seems to call: JSON, a label or a tag that was not read as a call, because it is
 * incomplete, does not fit the tool, or is not where a call may be. Undefined if there is none.
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

/** Longer than what comes before the name in any of the forms. */
const MAX_BEFORE = 40

/** The text directly before a tool's name, and after it. */
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
