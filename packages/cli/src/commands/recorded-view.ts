import type { RunEvent } from '@toolglot/agent'
import { redactAll } from '@toolglot/agent/internal'
import type { Journal } from '@toolglot/agent/journal'
import { noteRequest } from '../show/waiting.ts'
import { showEnd } from '../show/run/end.ts'
import { createRunView } from '../show/run/run-view.ts'
import { toJson } from '../show/text/json.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'

/** Options for showing recorded events. */
export interface RecordedViewOptions {
  readonly journal: Pick<Journal, 'waiting' | 'read'>
  /** Print events as JSON, one per line. */
  readonly json?: true
  /** Shows likely secrets. */
  readonly raw?: true
  /** True if a person can answer the run's requests now. */
  readonly asksElsewhere?: boolean
}

/** Shows recorded events on standard output. */
export interface RecordedView {
  show(event: RunEvent): Promise<void>
  /** Ends the last line. */
  end(): void
}

/** Creates the view of `replay` and `runs follow`. */
export function createRecordedView(
  { output, env }: Terminal,
  { journal, json, raw, asksElsewhere = false }: RecordedViewOptions,
): RecordedView {
  const colors = colorsOf(output, env)
  const view = createRunView({ text: output, notes: output, env, isReplay: true, asksElsewhere })

  return {
    async show(recorded) {
      const event = raw ? recorded : redactAll(recorded)
      if (json) return write(output, `${toJson(event)}\n`)
      view.show(event)
      if (event.type === 'run-end') output.write(showEnd(event, colors))
      if (asksElsewhere) await noteRequest(recorded, view, journal)
    },
    end() {
      if (!json) view.endLine()
    },
  }
}
