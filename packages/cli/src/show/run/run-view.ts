import type { RunEvent, Todo } from '@toolglot/agent'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import { type Colors, colorsOf, columnsOf, type Screen, type Terminal } from '../../terminal.ts'
import { doubts } from '../reply/call.ts'
import { truncate } from '../text/width.ts'
import { showCallLine } from './call-line.ts'
import { createLiveOutput, type LiveOutput } from './live-output.ts'
import { showOutcome } from './outcome.ts'
import { createPage } from './page.ts'
import { showTodos } from './todos.ts'

/** Where a run is shown. */
export interface ViewOptions {
  /** Where the model's text is streamed to. Undefined: text before a call goes to `notes`, and the answer nowhere. */
  readonly text: Screen | undefined
  /** Where everything else goes. */
  readonly notes: Screen
  readonly env: Terminal['env']
  /** The run is over: prompts are shown too. */
  readonly isReplay?: boolean
}

/** Shows the events of a run. */
export interface RunView {
  readonly show: (event: RunEvent) => void
  /** Ends the current line, so that something else can be written. */
  readonly endLine: () => void
}

interface ShownCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  isShown: boolean
  /** The user was asked to approve it, and saw what it would do. */
  wasAsked: boolean
  live: LiveOutput | undefined
}

/** Shows a run as it happens, for people. */
export function createRunView({ text, notes, env, isReplay = false }: ViewOptions): RunView {
  const colors = colorsOf(notes, env)
  const { dim, yellow, cyan, bold } = colors
  const columns = columnsOf(notes)
  const page = createPage({ text, notes, dim })
  const calls = new Map<string, ShownCall>()
  let textSoFar = ''
  let lastNotRun = ''
  let wasTodo = false

  function showHeader(id: string): ShownCall | undefined {
    const call = calls.get(id)
    if (call && !call.isShown) {
      call.isShown = true
      page.block('call', [showCallLine(call, colors, columns)])
    }
    return call
  }

  return {
    endLine: () => page.endLine(),
    show(event) {
      const isAfterTodo = wasTodo
      wasTodo = event.type === 'todo'
      switch (event.type) {
        case 'prompt':
          if (isReplay)
            page.block('prompt', visible(event.content).split('\n').map(promptLine(cyan, bold)))
          return
        case 'turn-start':
          textSoFar = ''
          return page.setStatus('thinking…')
        case 'text':
          if (text) return page.writeText(event.delta)
          textSoFar += event.delta
          return
        case 'reasoning':
          return page.writeReasoning(event.delta)
        case 'call-start':
          return page.setStatus(`${visibleLine(event.name)}…`)
        case 'call-end': {
          const { id, name, args } = event.call
          calls.set(id, { name, args, isShown: false, wasAsked: false, live: undefined })
          const notes = doubts(event.call).map((doubt) => yellow(`! ${visibleLine(doubt)}`))
          if (notes.length > 0 && !event.call.complete) page.block('note', notes)
          if (!text && textSoFar.trim() !== '')
            page.block('text', visible(textSoFar.trim()).split('\n').map(dim))
          textSoFar = ''
          return
        }
        case 'malformed':
          return page.block('note', [
            yellow(`! a call could not be read: ${visibleLine(event.hint)}`),
          ])
        case 'tool-start': {
          const { call, name, args } = event
          calls.set(call, { ...UNSEEN, ...calls.get(call), name, args })
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
          const call = showHeader(event.request.call)
          if (call) call.wasAsked = true
          return page.endLine()
        }
        case 'approval': {
          const call = calls.get(event.approval.call)
          if (call && event.approval.verdict === 'allow')
            page.setStatus(`  ${showCallLine(call, PLAIN, columns)}`)
          return
        }
        case 'question':
          return page.endLine()
        case 'todo':
          return page.block('todo', showTodos(event.todos, colors))
        case 'tool-end': {
          const { outcome } = event
          if (SILENT.has(outcome.status)) return
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
          return page.block(
            'call',
            lines.map((line) => `  ${line}`),
          )
        }
        case 'compacted': {
          const { before, after } = event
          return page.block('note', [dim(`(conversation compacted: ${before} → ${after} tokens)`)])
        }
        case 'warning':
          return page.block('note', [`${yellow('warning:')} ${visible(event.message)}`])
        case 'run-end':
          return isReplay ? page.endLine() : page.reset()
        default:
          return
      }
    },
  }
}

const UNSEEN = { isShown: false, wasAsked: false, live: undefined }

/** How calls end that were not run, which was reported before or is obvious. */
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

function promptLine(
  paint: (text: string) => string,
  bold: (text: string) => string,
): (line: string, at: number) => string {
  return (line, at) => `${at === 0 ? paint('›') : ' '} ${bold(truncate(line, 2000))}`
}
