import type { RunEvent, Usage } from '@toolglot/agent'
import { createDraft, type OpenTurn, type RunDraft } from './run-draft.ts'
import type { RunEnd, RunView } from './run-view.ts'

/**
 * Converts the events of a run, as sent by a server, to a view: recorded events, each followed by
 * previews of later ones.
 */
export interface Fold {
  /** Adds the next event. Takes constant time, except for dropping previews. */
  add(event: RunEvent): void
  /**
   * Drops unrecorded events. A reader that resumes after the last recorded event receives the
   * previews again.
   */
  dropPreviews(): void
  /** The view of all events so far. It is the same object until an event is added. */
  view(): RunView
  /** A fold of the same events, which continues independently. Previews are dropped in both. */
  copy(): Fold
}

/**
 * The minimum number of characters to keep of a running tool's output. The outcome contains the
 * rest.
 */
const MAX_OUTPUT = 64 << 10

/** Creates a fold of the events of one run. */
export function createFold(run: string): Fold {
  return foldInto(createDraft(run))
}

function foldInto(draft: RunDraft): Fold {
  const { state, set, push, addPart, setPart, changeTurn, addCall, callAt, changeCall } = draft
  const { addNotice, nextId, nextItemId, addText } = draft
  let shown: RunView | undefined

  /** Adds a reply that was cut off by the end of the run. */
  function addUnfinished(text: string, started: number): void {
    const id = nextItemId('turn')
    const fields = { type: 'turn', id, turn: state.turnCount, started, isOpen: false } as const
    push(state.items, {
      type: 'open-turn',
      parts: [{ type: 'text', id: `${id}.0`, text, at: 0 }],
      fields: { ...fields, isUnfinished: true },
      places: new Map(),
      shown: undefined,
    })
  }

  function apply(event: RunEvent): void {
    switch (event.type) {
      case 'run-start': {
        const { type: _, run: __, seq: ___, time: ____, transient, resumed, ...start } = event
        const { facts } = state
        if (resumed && facts && !transient) {
          const changed = facts.model !== start.model || facts.protocol !== start.protocol
          addNotice({ type: 'resumed', changed, start })
        }
        set(state, 'facts', start)
        set(state, 'hasStarted', true)
        set(state, 'turns', 0)
        set(state, 'calls', 0)
        set(state, 'end', undefined)
        return
      }
      case 'prompt':
        set(state, 'end', undefined)
        // Limits start over with every message from a person.
        set(state, 'turns', 0)
        set(state, 'calls', 0)
        push(state.items, {
          type: 'prompt',
          id: nextItemId('prompt'),
          text: event.content,
          images: event.images ?? 0,
          time: event.time,
          turn: state.nextTurn,
        })
        return
      case 'turn-start': {
        const fields = {
          type: 'turn',
          id: nextItemId('turn'),
          turn: state.turnCount,
          started: event.time,
          isOpen: true,
        } as const
        set(state, 'end', undefined)
        set(state, 'turnCount', state.turnCount + 1)
        // A final turn without tools, after a limit, has no number.
        if (event.turn >= 0) {
          set(state, 'nextTurn', event.turn + 1)
          set(state, 'turns', state.turns + 1)
        }
        const turn: OpenTurn = {
          type: 'open-turn',
          parts: [],
          fields,
          places: new Map(),
          shown: undefined,
        }
        push(state.items, turn)
        set(state, 'turn', turn)
        return
      }
      case 'text':
      case 'reasoning':
        addText(event.type, event.delta, event.at)
        return
      case 'call-start': {
        const { turn } = state
        const { id, name, index } = event
        if (turn) addCall(turn, index, { type: 'call', id, name, written: '' })
        return
      }
      case 'call-delta': {
        const { turn } = state
        const at = turn?.places.get(event.index)
        const part = at === undefined ? undefined : turn?.parts[at]
        if (!turn || at === undefined || part?.type !== 'call') return
        setPart(turn, at, { ...part, written: part.written + event.delta })
        return
      }
      case 'call-end': {
        const { turn } = state
        if (!turn) return
        const { call, index } = event
        const at = turn.places.get(index)
        const part = at === undefined ? undefined : turn.parts[at]
        // Finds the call by its id in the run, which may have changed since the call was announced.
        const { id, name } = call
        if (at === undefined || part?.type !== 'call')
          addCall(turn, index, { type: 'call', id, name, written: '', call })
        else {
          draft.moveCall(id, turn, at)
          setPart(turn, at, { ...part, id, name, call })
        }
        return
      }
      case 'malformed': {
        const { turn } = state
        if (!turn) return
        const { type, index, run: _, seq: __, time: ___, transient: ____, ...malformed } = event
        const at = index === undefined ? undefined : turn.places.get(index)
        const id = at === undefined ? nextId(turn) : `${turn.fields.id}.${at}`
        if (at === undefined) addPart(turn, { ...malformed, type, id })
        else setPart(turn, at, { ...malformed, type, id })
        return
      }
      case 'result': {
        const { turn } = state
        if (turn) addPart(turn, { type: 'made-up', id: nextId(turn), text: event.raw })
        return
      }
      case 'turn-end': {
        const { turn } = state
        const { usage, firstToken, duration } = event
        if (turn)
          changeTurn(turn, {
            isOpen: false,
            usage,
            firstToken,
            duration,
          })
        set(state, 'usage', sum(state.usage, usage))
        set(state, 'contextUsed', usage.input + usage.output)
        return
      }
      case 'approval-request': {
        const { key, request, args, time } = event
        changeCall(request.call, { approval: { key, request, args, since: time } })
        return
      }
      case 'approval': {
        const { approval, always, rules, allowedBy, time } = event
        const part = callAt(approval.call)
        if (!part?.approval) return
        const answer = {
          ...{ approval, time },
          ...(always && { always }),
          ...(rules && { rules }),
          ...(allowedBy && { allowedBy }),
        }
        changeCall(approval.call, { approval: { ...part.approval, answer } })
        return
      }
      case 'tool-start':
        set(state, 'calls', state.calls + 1)
        changeCall(event.call, { started: event.time })
        return
      case 'tool-progress': {
        const { update, call } = event
        if (update.type === 'todo') set(state, 'todos', update.todos)
        else if (update.type === 'note') changeCall(call, { note: update.text })
        else {
          const output = `${callAt(call)?.output ?? ''}${update.text}`
          // Cutting copies the rest, so it is not done for every piece.
          const isLong = output.length > 2 * MAX_OUTPUT
          changeCall(call, { output: isLong ? output.slice(-MAX_OUTPUT) : output })
        }
        return
      }
      case 'duplicate':
        changeCall(event.call, { repeats: event.of })
        return
      case 'tool-end':
        changeCall(event.call, { outcome: event.outcome })
        return
      case 'tool-late':
        changeCall(event.call, { late: event.outcome })
        return
      case 'question': {
        const { key, questions, call } = event
        changeCall(call, { question: { key, questions } })
        return
      }
      case 'answer': {
        const part = callAt(event.call)
        if (part?.question)
          changeCall(event.call, { question: { ...part.question, answers: event.answers } })
        return
      }
      case 'todo':
        set(state, 'todos', event.todos)
        return
      case 'compacted': {
        const { type, before, after } = event
        addNotice({ type, before, after })
        return
      }
      case 'warning': {
        const { type, code, message } = event
        // The request is sent to the model again, and its text so far is not used.
        if (event.transient && code.startsWith('model_') && state.turn?.fields.isOpen) {
          draft.emptyTurn(state.turn)
        }
        addNotice({ type, code, message })
        return
      }
      case 'run-end': {
        const { reason, error, unfinished } = event
        // An end that is not recorded keeps the previews, which show it.
        if (unfinished !== undefined && !event.transient) addUnfinished(unfinished, event.time)
        const end: RunEnd = {
          type: 'end',
          id: nextItemId('end'),
          reason,
          error,
        }
        const { turn } = state
        if (turn?.fields.isOpen) changeTurn(turn, { isOpen: false })
        push(state.items, end)
        set(state, 'end', end)
        return
      }
      case 'prompt-changed':
        return
    }
  }

  return {
    add(event) {
      shown = undefined
      // A recorded event contains all data that it confirms, and a new execution emits all previews
      // again.
      if (!event.transient || event.type === 'run-start') draft.undo.revert()
      draft.undo.keeps = event.transient === true
      if (!event.transient) state.seq = event.seq
      apply(event)
    },
    dropPreviews() {
      shown = undefined
      draft.undo.revert()
    },
    view: () => (shown ??= draft.view()),
    copy() {
      shown = undefined
      return foldInto(draft.copy())
    },
  }
}

function sum(one: Usage, other: Usage): Usage {
  const cost = (one.cost ?? 0) + (other.cost ?? 0)
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cost: cost > 0 ? cost : undefined,
    estimated: one.estimated || other.estimated ? true : undefined,
  }
}
