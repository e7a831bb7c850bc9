import type { RunEvent, Todo } from '@toolglot/agent'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import { colorsOf, columnsOf, type Screen, type Terminal } from '../../terminal.ts'
import { doubts } from '../call.ts'
import { cut } from '../width.ts'
import { showCallLine } from './call-line.ts'
import { createLiveOutput, type LiveOutput } from './live-output.ts'
import { showOutcome } from './outcome.ts'
import { createPage } from './page.ts'
import { showTodos } from './todos.ts'

export interface ViewOptions {
  /** Where what the model says goes as it comes; undefined: beside everything else, once a turn is over. */
  readonly text: Screen | undefined
  /** Where everything else goes. */
  readonly notes: Screen
  readonly env: Terminal['env']
  /** It happened before: what people said is shown too. */
  readonly isReplay?: boolean
}

export interface RunView {
  readonly show: (event: RunEvent) => void
  /** Makes room for something that others write. */
  readonly rest: () => void
}

interface Begun {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  isShown: boolean
  /** A person was shown what it would do. */
  wasAsked: boolean
  live: LiveOutput | undefined
}

/** A run as it goes on, for people. */
export function createRunView({ text, notes, env, isReplay = false }: ViewOptions): RunView {
  const colors = colorsOf(notes, env)
  const { dim, yellow, cyan, bold } = colors
  const columns = columnsOf(notes)
  const page = createPage({ text, notes, dim })
  const begun = new Map<string, Begun>()
  let said = ''

  function header(call: string): Begun | undefined {
    const found = begun.get(call)
    if (found && !found.isShown) {
      found.isShown = true
      page.block('call', [showCallLine(found, colors, columns)])
    }
    return found
  }

  return {
    rest: () => page.finish(),
    show(event) {
      switch (event.type) {
        case 'prompt':
          if (isReplay)
            page.block('prompt', visible(event.content).split('\n').map(promptLine(cyan, bold)))
          return
        case 'turn-start':
          said = ''
          return page.wait('thinking…')
        case 'text':
          if (text) return page.say(event.delta)
          said += event.delta
          return
        case 'reasoning':
          return page.think(event.delta)
        case 'call-start':
          return page.wait(`${visibleLine(event.name)}…`)
        case 'call-end': {
          const odd = doubts(event.call).map((doubt) => yellow(`! ${visibleLine(doubt)}`))
          if (odd.length > 0 && !event.call.complete) page.block('note', odd)
          if (!text && said.trim() !== '')
            page.block('text', visible(said.trim()).split('\n').map(dim))
          said = ''
          return
        }
        case 'malformed':
          return page.block('note', [
            yellow(`! a call could not be read: ${visibleLine(event.hint)}`),
          ])
        case 'tool-start': {
          const { call, name, args } = event
          begun.set(call, { name, args, isShown: false, wasAsked: false, live: undefined })
          return page.wait(showCallLine({ name, args }, PLAIN, columns))
        }
        case 'tool-progress': {
          const found = header(event.call)
          if (event.update.type === 'todo') return
          if (event.update.type === 'note') return page.wait(visibleLine(event.update.text))
          if (!found) return
          found.live ??= createLiveOutput({ page, dim, columns })
          return found.live.next(event.update.text)
        }
        case 'approval-request': {
          const found = header(event.request.call)
          if (found) found.wasAsked = true
          return page.finish()
        }
        case 'approval': {
          const found = begun.get(event.approval.call)
          if (found && event.approval.verdict === 'allow')
            page.wait(`  ${showCallLine(found, PLAIN, columns)}`)
          return
        }
        case 'question':
          return page.finish()
        case 'todo':
          return page.block('todo', showTodos(event.todos, colors))
        case 'tool-end': {
          const { outcome } = event
          const todos = todosIn(outcome.data)
          if (todos && isReplay) return page.block('todo', showTodos(todos, colors))
          if (!isReplay && (todos || hasAnswers(outcome.data))) return
          const found = header(event.call)
          found?.live?.end()
          const wasLive = found?.live !== undefined
          const lines = showOutcome(outcome, {
            colors,
            columns: columns - 3,
            wasLive,
            wasAsked: found?.wasAsked ?? false,
          })
          begun.delete(event.call)
          return page.block(
            'call',
            lines.map((line) => `  ${line}`),
          )
        }
        case 'compacted': {
          const { before, after } = event
          return page.block('note', [dim(`(made shorter: ${before} tokens are ${after} now)`)])
        }
        case 'warning':
          return page.block('note', [`${yellow('warning:')} ${visible(event.message)}`])
        case 'run-end':
          return isReplay ? page.finish() : page.close()
        default:
          return
      }
    },
  }
}

/** Todos and answers are seen when they come, not when the tool ends. */
function todosIn(data: unknown): readonly Todo[] | undefined {
  const { todos } = (data ?? {}) as { todos?: unknown }
  return Array.isArray(todos) ? (todos as readonly Todo[]) : undefined
}

function hasAnswers(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'answers' in data
}

const same = (text: string | number | null | undefined): string => String(text)
const PLAIN = { bold: same, cyan: same, dim: same } as unknown as ReturnType<typeof colorsOf>

function promptLine(
  paint: (text: string) => string,
  bold: (text: string) => string,
): (line: string, at: number) => string {
  return (line, at) => `${at === 0 ? paint('›') : ' '} ${bold(cut(line, 2000))}`
}
