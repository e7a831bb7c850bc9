import type { RunSummary, Journal } from '@toolglot/agent/journal'
import { visibleLine } from '@toolglot/workspace/internal'
import { type NumberedRequest, requestsOf } from '../input/find-run.ts'
import type { Colors } from '../terminal.ts'
import { showCallLine, showQuestion } from './run/call-line.ts'
import { showParts } from './run/request.ts'
import { age } from './runs.ts'
import { shellWord } from './text/shell-word.ts'
import { truncate } from './text/table.ts'
import type { RunEvent } from '@toolglot/agent'
import type { RunView } from './run/run-view.ts'

/** Options for showing pending requests. */
interface WaitingOptions {
  readonly colors: Colors
  readonly columns: number
  readonly now: number
}

/** The pending requests by run: each call, the reason for asking, and the command that answers. */
export function showWaiting(
  requests: readonly NumberedRequest[],
  runs: ReadonlyMap<string, RunSummary>,
  options: WaitingOptions,
): string {
  if (requests.length === 0) return 'No requests are pending.\n'
  const ids = [...new Set(requests.map(({ run }) => run))]
  const blocks = ids.map((run) => {
    const own = requests.filter((request) => request.run === run)
    return [headingOf(run, runs.get(run), options), ...own.map((each) => showOne(each, options))]
  })
  return `${blocks.map((block) => block.join('')).join('\n')}\n${footer(requests, options)}`
}

function headingOf(
  run: string,
  summary: RunSummary | undefined,
  { colors: { bold, dim }, columns }: WaitingOptions,
): string {
  const { name, prompt = '', folder } = summary ?? {}
  const title = truncate(visibleLine(name ?? prompt), Math.min(columns, 120) - run.length - 2)
  const place = folder === undefined ? '' : `${dim(`in ${visibleLine(folder)}`)}\n`
  return `${bold(visibleLine(run))}${title === '' ? '' : `  ${title}`}\n${place}`
}

function showOne(request: NumberedRequest, { colors, columns, now }: WaitingOptions): string {
  const { dim } = colors
  const { number, tool, args, since } = request
  const waits = age(now - since)
  const label = String(number).padEnd(2)
  const room = Math.min(columns, 120) - INDENT
  const lines = [
    `${label} ${showCallLine({ name: tool, args }, colors, room)}`,
    ...(waits === undefined ? [] : [`   ${dim(`has waited ${waits}`)}`]),
    ...detailsOf(request, colors, room).map((line) => `   ${line}`),
    `   ${answerCommand(request)}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const INDENT = 3

function detailsOf(request: NumberedRequest, colors: Colors, columns: number): readonly string[] {
  if (request.type === 'approval') return showParts(request, { colors, columns })
  return request.questions.flatMap((each) => showQuestion(each, colors).trimEnd().split('\n'))
}

/** The command that answers a request: it allows a call, or asks a question at the terminal. */
function answerCommand({ type, run, number }: NumberedRequest): string {
  const verdict = type === 'approval' ? ' allow' : ''
  return `toolglot runs answer ${shellWord(run)} ${number}${verdict}`
}

function footer(requests: readonly NumberedRequest[], { colors: { dim } }: WaitingOptions): string {
  const has = (type: NumberedRequest['type']): boolean =>
    requests.some((each) => each.type === type)
  const lines = [
    ...(has('approval')
      ? ['Or use deny. Without either, the command shows the whole call and asks.']
      : []),
    ...(has('question')
      ? ["The command asks the question. To answer it directly: --answer 'Question=Answer'."]
      : []),
  ]
  return lines.map((line) => `${dim(line)}\n`).join('')
}

/** If an event is an unanswered request to a person, shows the command that answers it. */
export async function noteRequest(
  event: RunEvent,
  view: Pick<RunView, 'note'>,
  journal: Pick<Journal, 'waiting' | 'read'>,
): Promise<void> {
  if (event.type !== 'approval-request' && event.type !== 'question') return
  const requests = await requestsOf(journal, event.run)
  const request = requests.find(({ key }) => key === event.key)
  if (request) view.note([`To answer: ${answerCommand(request)}`])
}
