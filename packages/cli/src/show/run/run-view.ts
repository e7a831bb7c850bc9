import type { RunEvent, Todo } from '@toolglot/agent'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import { type Colors, colorsOf, columnsOf, type Screen, type Terminal } from '../../terminal.ts'
import { cautionsFor } from '../reply/call.ts'
import { describeDialect } from '../reply/dialect.ts'
import { showContext } from '../tokens.ts'
import { truncate } from '../text/table.ts'
import { showCallLine, showQuestion, showTodos } from './call-line.ts'
import { createLiveOutput, type LiveOutput } from './live-output.ts'
import { showOutcome } from './outcome.ts'
import { createPage } from './page.ts'
import { reasonAlone, showParts } from './request.ts'

/** The screens and options for showing a run. */
export interface ViewOptions {
  /**
   * The screen for the model's text. Undefined: text before a call goes to `notes`, and the answer
   * is not shown.
   */
  readonly text: Screen | undefined
  /** The screen for all other output. */
  readonly notes: Screen
  readonly env: Terminal['env']
  /**
   * True if the run is executed by another process: its turns are numbered, and each event is shown
   * once it is recorded.
   */
  readonly isReplay?: boolean
  /**
   * True if approvals come from elsewhere, so requests and questions are shown. At a keyboard, they
   * are shown when they are asked.
   */
  readonly asksElsewhere?: boolean
}

/** Shows the events of a run. */
export interface RunView {
  readonly show: (event: RunEvent) => void
  /** Ends the current line, so that other text can be written. */
  readonly endLine: () => void
  /** Writes lines below the last call or text. */
  readonly note: (lines: readonly string[]) => void
  /** The user typed this prompt, so it is not shown again. */
  readonly typed: (prompt: string) => void
  /** Shows a call and asks the user about it. */
  readonly ask: <Answer>(call: string, question: () => Promise<Answer>) => Promise<Answer>
}

interface ShownCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The user was asked to approve it, and saw its effect. */
  wasAsked: boolean
  /** The user was asked, and has not answered. */
  isAsking: boolean
  live: LiveOutput | undefined
}

/** Shows a run as it happens, for people. */
export function createRunView(options: ViewOptions): RunView {
  const { text, notes, env, isReplay = false, asksElsewhere = false } = options
  const colors = colorsOf(notes, env)
  const { dim, yellow, cyan, bold } = colors
  const columns = columnsOf(notes)
  const page = createPage({ text, notes, dim })
  const calls = new Map<string, ShownCall>()
  /** The last call whose name was written. */
  let headed = ''
  let typed: string | undefined
  /** The text of the current turn, and the length of the part shown with the notes. */
  let turnText = ''
  let shownText = 0
  let lastNotRun = ''
  let lastWarning: string | undefined
  /** The reason for the last retry. */
  let lastProblem: string | undefined
  /** The size of the model's context, and the tokens used by the last turn. */
  let contextTokens: number | undefined
  let usedTokens: number | undefined
  let wasTodo = false
  /** The protocol in the prompt. */
  let format: string | undefined

  /** Several calls may be running, so text about a call is shown below its name. */
  function showHeader(id: string): ShownCall | undefined {
    const call = calls.get(id)
    if (call && headed !== id) page.block('call', [showCallLine(call, colors, columns)])
    if (call) headed = id
    return call
  }

  function describeContext(): string {
    if (usedTokens === undefined || contextTokens === undefined) return ''
    return ` (${showContext(usedTokens, contextTokens)})`
  }

  /** On a terminal, attempts share one line; otherwise, each problem is printed once. */
  function showRetry(message: string): void {
    const at = message.lastIndexOf(RETRYING)
    const [problem, when] = [message.slice(0, at), message.slice(at + 1).replace(/\.$/, '')]
    if (notes.isTTY) return page.setStatus(`${when}: ${visibleLine(problem)}`)
    if (problem === lastProblem) return
    lastProblem = problem
    page.block('note', [`${yellow('warning:')} ${visible(message)}`])
  }

  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

  return {
    endLine: () => page.endLine(),
    note: (lines) => page.block('call', indented(lines)),
    typed: (prompt) => void (typed = prompt),
    async ask(id, question) {
      const call = showHeader(id)
      if (call) Object.assign(call, { wasAsked: true, isAsking: true })
      const answer = await question()
      if (call) call.isAsking = false
      return answer
    },
    show(event) {
      const isAfterTodo = wasTodo
      wasTodo = event.type === 'todo'
      switch (event.type) {
        case 'run-start':
          format = event.protocol
          contextTokens = event.contextTokens
          return
        case 'prompt':
          if (event.content !== typed || event.images !== undefined)
            page.block('prompt', promptText(event).split('\n').map(promptLine(cyan, bold)))
          typed = undefined
          return
        case 'turn-start':
          turnText = ''
          shownText = 0
          if (!isReplay) return page.setStatus(`thinking…${describeContext()}`)
          if (event.turn < 0) return page.endLine()
          return page.block('turn', [dim(`turn ${event.turn}`)])
        case 'text':
          turnText += event.delta
          if (text) page.writeText(event.delta)
          return
        case 'reasoning':
          return page.writeReasoning(event.delta)
        case 'call-start':
          return page.setStatus(`${visibleLine(event.name)}…`)
        case 'call-end': {
          const { id, name, args } = event.call
          calls.set(id, { ...UNSEEN, name, args })
          const before = turnText.slice(shownText).trim()
          if (!text && before !== '') page.block('text', visible(before).split('\n').map(dim))
          shownText = turnText.length
          const dialect = describeDialect(event.call, turnText, format)
          const notes = !event.call.complete ? cautionsFor(event.call) : dialect ? [dialect] : []
          if (notes.length > 0)
            page.block(
              'note',
              notes.map((note) => yellow(`! ${visibleLine(note)}`)),
            )
          return
        }
        case 'malformed':
          return page.block('note', [
            yellow(`! a call could not be read: ${visibleLine(event.hint)}`),
          ])
        case 'tool-start': {
          const { call, name, args } = event
          calls.set(call, { ...UNSEEN, ...calls.get(call), name, args })
          if (isReplay) return
          return page.setStatus(showCallLine({ name, args }, PLAIN, columns))
        }
        case 'tool-progress': {
          const call = showHeader(event.call)
          if (event.update.type === 'todo') return
          if (event.update.type === 'note') return page.setStatus(visibleLine(event.update.text))
          if (!call) return
          call.live ??= createLiveOutput({ page, dim, columns })
          return call.live.write(event.update.text)
        }
        case 'approval-request': {
          const { decision, suggestions, call } = event.request
          if (!asksElsewhere && !isReplay) return page.endLine()
          showHeader(call)
          const shown = asksElsewhere
            ? showParts({ ...decision, suggestions }, { colors, columns: columns - 2 })
            : [dim(truncate(visibleLine(`asked: ${reasonAlone(decision.why)}`), columns - 3))]
          return page.block('call', indented(shown))
        }
        case 'approval': {
          const { call: id, verdict } = event.approval
          const call = calls.get(id)
          if (!call || isReplay) return
          if (call.isAsking) {
            showHeader(id)
            return page.block('call', [dim(`  (answered elsewhere: ${ANSWERS[verdict]})`)])
          }
          if (verdict === 'allow') page.setStatus(`  ${showCallLine(call, PLAIN, columns)}`)
          return
        }
        case 'question': {
          if (!asksElsewhere) return page.endLine()
          const shown = event.questions.map((each) => showQuestion(each, colors)).join('')
          return page.block('call', shown.trimEnd().split('\n'))
        }
        case 'todo':
          return page.block('todo', showTodos(event.todos, colors))
        case 'tool-end': {
          const { outcome } = event
          if (SILENT.has(outcome.status) || outcome.text === lastWarning) return
          if (outcome.status === 'not_run') {
            if (outcome.text !== lastNotRun) page.block('note', [yellow(`! ${outcome.text}`)])
            lastNotRun = outcome.text
            return
          }
          const todos = todosIn(outcome.data)
          if (todos && isAfterTodo) return
          if (todos && isReplay) return page.block('todo', showTodos(todos, colors))
          if (!isReplay && (todos || hasAnswers(outcome.data))) return
          const call = showHeader(event.call)
          call?.live?.end()
          const wasLive = call?.live !== undefined
          const lines = showOutcome(outcome, {
            colors,
            columns: columns - 3,
            wasLive,
            wasAsked: call?.wasAsked ?? false,
          })
          calls.delete(event.call)
          headed = ''
          return page.block('call', indented(lines))
        }
        case 'turn-end':
          if (event.turn >= 0) usedTokens = event.usage.input + event.usage.output
          return
        case 'tool-late': {
          const { name, outcome } = event
          headed = ''
          const lines = showOutcome(outcome, { colors, columns: columns - 3 })
          const heading = `${cyan('→')} ${bold(truncate(visibleLine(name), 40))} ended late`
          return page.block('call', [heading, ...indented(lines)])
        }
        case 'compacted': {
          const { before, after } = event
          return page.block('note', [dim(`(conversation compacted: ${before} → ${after} tokens)`)])
        }
        case 'warning':
          lastWarning = event.message
          if (isRetry(event)) return showRetry(event.message)
          return page.block('note', [`${yellow('warning:')} ${visible(event.message)}`])
        case 'run-end':
          headed = ''
          if (!isReplay) return page.reset()
          if (event.unfinished !== undefined) {
            page.block('turn', [dim('a reply that was cut off')])
            if (text) page.writeText(event.unfinished)
          }
          return page.endLine()
        default:
          return
      }
    },
  }
}

/** True if a warning is about a retry. */
function isRetry({ code, message }: Extract<RunEvent, { type: 'warning' }>): boolean {
  return code.startsWith('model_') && message.includes(RETRYING)
}

const RETRYING = ' Retrying in '

const UNSEEN = { wasAsked: false, isAsking: false, live: undefined }

const ANSWERS = { allow: 'allowed', deny: 'denied' } as const

/**
 * Ends of calls that were not run, for reasons that are obvious or were already reported. A warning
 * is not repeated either.
 */
const SILENT: ReadonlySet<string> = new Set(['cut_off', 'cancelled'])

/** Todos and answers are shown as they arrive, not when the tool ends. */
function todosIn(data: unknown): readonly Todo[] | undefined {
  const { todos } = (data ?? {}) as { todos?: unknown }
  return Array.isArray(todos) ? (todos as readonly Todo[]) : undefined
}

function hasAnswers(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'answers' in data
}

const unpainted = (text: string | number | null | undefined): string => String(text)
const PLAIN = { bold: unpainted, cyan: unpainted, dim: unpainted } as unknown as Colors

/** A prompt as displayed. Its images are in the journal. */
function promptText({ content, images }: Extract<RunEvent, { type: 'prompt' }>): string {
  const noted = images === undefined ? [] : [images === 1 ? '[1 image]' : `[${images} images]`]
  return [...(content === '' ? [] : [visible(content)]), ...noted].join('\n')
}

function promptLine(
  paint: (text: string) => string,
  bold: (text: string) => string,
): (line: string, at: number) => string {
  return (line, at) => `${at === 0 ? paint('›') : ' '} ${bold(truncate(line, 2000))}`
}
